// The page of both: React and `useChat`, nothing else.
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';

function Chat() {
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat({
    transport: new DefaultChatTransport({ api: '/chat' }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  return h(
    'main',
    { 'data-status': status },
    h('button', { onClick: () => void sendMessage({ text: 'Refund order B.' }) }, 'Ask'),
    error && h('p', { role: 'alert' }, error.message),
    messages.flatMap(({ id, role, parts }) =>
      parts.map((part, at) => {
        const key = `${id} ${at}`;
        if (part.type === 'text') return h('p', { key }, `${role}: ${part.text}`);
        if (part.type !== 'tool-refund') return null;
        const said = h('p', { key }, `${part.state} ${JSON.stringify(part.output ?? part.input)}`);
        if (part.state !== 'approval-requested') return said;
        const answer = (approved) => () => void addToolApprovalResponse({ id: part.approval.id, approved });
        return h(
          'div',
          { key },
          said,
          h('button', { onClick: answer(true) }, 'Yes'),
          h('button', { onClick: answer(false) }, 'No'),
        );
      }),
    ),
  );
}

createRoot(document.body.appendChild(document.createElement('div'))).render(h(Chat));

import { mendHistory } from '../base/message/history.ts';
import type { AssistantMessage, Message } from '../base/message/message.ts';
import type { AssistantPart } from '../base/message/part.ts';
import type { RequestReport } from './adapter.ts';

export interface ReadyHistory {
  readonly messages: readonly Message[];
  readonly reports: readonly RequestReport[];
}

/**
 * A history that this API accepts: mended, and with what only another API could read told in words or left
 * out. Messages that need no change are the same objects, so that what was made of them can be kept.
 */
export function readyHistory(messages: readonly Message[], api: string): ReadyHistory {
  const mended = mendHistory(messages);
  return {
    messages: mended.messages.flatMap((message): readonly Message[] => {
      if (message.role !== 'assistant') return [message];
      const fit = fitAssistant(message, api);
      return fit.content.length > 0 ? [fit] : [];
    }),
    reports: mended.changes.map(({ problem }) => ({ field: 'messages', message: problem.text })),
  };
}

function fitAssistant(message: AssistantMessage, api: string): AssistantMessage {
  if (message.from === undefined || message.from.api === api) return message;
  return { ...message, content: message.content.flatMap(translatePart) };
}

/** A part that another API wrote, as any API can read it. */
function translatePart(part: AssistantPart): readonly AssistantPart[] {
  switch (part.type) {
    case 'reasoning':
    case 'other':
      return [];
    case 'call':
      if (part.requiresLocalExecution) return [part];
      return [{ type: 'text', text: `[${part.name} was called: ${argumentsText(part.arguments)}]` }];
    case 'hosted-result':
      return [{ type: 'text', text: `[${part.name} answered: ${JSON.stringify(part.content)}]` }];
    default:
      return [part];
  }
}

function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

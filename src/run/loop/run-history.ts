import { mendHistory } from '../../base/message/check-history.ts';
import type { Message } from '../../base/message/message.ts';
import { readMessages } from '../../base/message/read-message.ts';
import { resultText } from '../../base/message/result.ts';
import type { CallRecord } from '../tool/call-record.ts';
import type { RunOptions } from './options.ts';

/** The history a run begins with, whole, in an array of its own. */
export function historyOf(options: RunOptions): Message[] {
  const { messages = [], system, prompt } = options;
  const history: Message[] = [];
  if (system !== undefined && messages[0]?.role !== 'system')
    history.push({ role: 'system', content: system });
  // The whole check takes its time, and is made where a look finds something odd: it says what and where.
  if (!Array.isArray(messages) || !messages.every(looksRight)) readMessages(messages);
  for (const message of mendHistory(messages).messages) history.push(message);
  if (prompt !== undefined) history.push({ role: 'user', content: prompt });
  return history;
}

function looksRight(message: Partial<Message> | undefined): boolean {
  if (message?.role === 'tool') return Array.isArray(message.results);
  if (message?.role === 'assistant') return Array.isArray(message.content) && message.content.every(isPart);
  if (message?.role !== 'user' && message?.role !== 'system') return false;
  return (
    typeof message.content === 'string' || (Array.isArray(message.content) && message.content.every(isPart))
  );
}

function isPart(part: { readonly type?: unknown; readonly text?: unknown } | null): boolean {
  return typeof part?.type === 'string' && (part.type !== 'text' || typeof part.text === 'string');
}

/** What a run answers: the text of the last reply, or the result that was declared to be the answer. */
export function textOfLast(messages: readonly Message[], direct: CallRecord | undefined): string {
  if (direct !== undefined) return resultText(direct.result);
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last === undefined) return '';
  return last.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

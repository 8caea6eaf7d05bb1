import { mendHistory } from '../../base/message/history.ts';
import type { Message } from '../../base/message/message.ts';
import { resultText } from '../../base/message/result.ts';
import type { CallRecord } from '../tool/call-record.ts';
import type { RunOptions } from './options.ts';

/** The history a run begins with, whole, in an array of its own. */
export function historyOf(options: RunOptions): Message[] {
  const { messages = [], system, prompt } = options;
  const history: Message[] = [];
  if (system !== undefined && messages[0]?.role !== 'system')
    history.push({ role: 'system', content: system });
  for (const message of mendHistory(messages).messages) history.push(message);
  if (prompt !== undefined) history.push({ role: 'user', content: prompt });
  return history;
}

/** What a run answers: the text of the last reply, or the result that was declared to be the answer. */
export function textOfLast(messages: readonly Message[], direct: CallRecord | undefined): string {
  if (direct !== undefined) return resultText(direct.result);
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last === undefined) return '';
  return last.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

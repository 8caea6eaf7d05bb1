import { callsOf, textOf } from '../../base/message/message.ts';
import type { Trajectory } from './trajectory.ts';

const columns = [
  'id',
  'task',
  'trial',
  'group',
  'agent',
  'model',
  'reward',
  'success',
  'ended',
  'error',
  'replies',
  'calls',
  'failed_calls',
  'tools_called',
  'last_words',
  'started_at',
] as const;

/** The head of a table with a row for each trajectory. It has no room for what was said: no import reads it. */
export const csvHead = columns.join(',');

export function csvRow(trajectory: Trajectory): string {
  const { id, task, trial, group, agent, grade, ended, error, messages, startedAt } = trajectory;
  const replies = messages.filter((message) => message.role === 'assistant');
  const names = replies.flatMap((reply) => callsOf(reply).map(({ name }) => name));
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  const last = replies.map(textOf).findLast((text) => text !== '');
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name}:${all.length}`);
  const row: Readonly<Record<(typeof columns)[number], string | number | boolean | null | undefined>> = {
    id,
    task,
    trial,
    group,
    agent: agent.name,
    model: agent.model,
    reward: grade?.reward,
    success: grade?.success,
    ended,
    error,
    replies: replies.length,
    calls: names.length,
    failed_calls: results.filter(({ isError }) => isError === true).length,
    tools_called: counts.join(' '),
    last_words: last,
    started_at: startedAt,
  };
  return columns.map((column) => field(String(row[column] ?? ''))).join(',');
}

/** RFC 4180. What a table would take for a formula begins with an apostrophe. */
function field(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

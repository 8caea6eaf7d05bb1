import type { JsonValue } from '../../base/json/value.ts';
import type { Task } from './task.ts';

/** The input of a call as it is graded: for a decision, the option alone means `{value}`. */
export function normalizeInput(task: Task, { name, input }: { name: string; input: JsonValue }): JsonValue {
  if (typeof input !== 'string') return input;
  const decides = task.tools.some((tool) => tool.id === name && tool.type === 'decision');
  return decides ? { value: input } : input;
}

import type { PythonDict } from '../python/value.ts';
import { listOf, requireDict, requireText } from '../python/field.ts';
import type { PythonValue } from '../python/value.ts';

/** A call, as a task of tau-bench writes it. */
export interface Action {
  readonly name: string;
  readonly kwargs: PythonDict;
}

/** A task: what should be done, and what should be said. */
export interface Task {
  /** What the person is told of themselves and of what they want; only playing needs it. */
  readonly instruction?: string;
  readonly actions: readonly Action[];
  readonly outputs: readonly string[];
}

/** A task as tau-bench writes it. */
export function readTask(value: PythonValue, where: string): Task {
  const task = requireDict(value, where);
  const actions = listOf(task.get('actions'), `${where}.actions`).map((action, index): Action => {
    const at = `${where}.actions[${index}]`;
    const members = requireDict(action, at);
    return {
      name: requireText(members.get('name'), `${at}.name`),
      kwargs: requireDict(members.get('kwargs'), `${at}.kwargs`),
    };
  });
  const outputs = listOf(task.get('outputs') ?? [], `${where}.outputs`).map((output, index) =>
    requireText(output, `${where}.outputs[${index}]`),
  );
  const instruction = task.get('instruction');
  return { ...(typeof instruction === 'string' && { instruction }), actions, outputs };
}

import { WhetstoneError } from '../../../base/host/errors.ts';
import { listOf, requireDict, requireText, wrong } from '../../python/field.ts';
import { readCall } from '../../python/literal.ts';
import type { PythonDict, PythonValue } from '../../python/value.ts';
import { apis, type MadeCall } from './backend.ts';

/** A question of several turns: what there is, what is asked, and what is right to call. */
export interface Dialogue {
  readonly involved: readonly string[];
  readonly initial: PythonDict;
  readonly truth: readonly (readonly MadeCall[])[];
}

/** The categories of several turns that are graded. */
export const dialogueCategories = [
  'multi_turn_base',
  'multi_turn_miss_func',
  'multi_turn_miss_param',
] as const;

/** Whether a category is one of several turns; that of long contexts is refused by name. */
export function isDialogue(category: string): boolean {
  if (category === 'multi_turn_long_context')
    throw new WhetstoneError(
      'benchmark_line',
      'BFCL keeps the long texts of “multi_turn_long_context” in its Python, and not in its data: this category is not graded.',
    );
  return dialogueCategories.some((each) => each === category);
}

/** Reads a question as it is written, and the answer to it. */
export function readDialogue(question: PythonDict, answer: PythonValue | undefined): Dialogue {
  const involved = listOf(question.get('involved_classes'), 'involved_classes').map((name) => {
    if (typeof name === 'string' && Object.hasOwn(apis, name)) return name;
    return wrong(name, 'involved_classes', `each one of ${Object.keys(apis).join(', ')}`);
  });
  return {
    involved,
    initial: requireDict(question.get('initial_config'), 'initial_config'),
    truth: listOf(answer, 'ground_truth').map((turn, index) =>
      listOf(turn, `ground_truth[${index}]`).map((call) => readCall(requireText(call, 'ground_truth'))),
    ),
  };
}

/** The turns of an answer. What no call could be read from is a step without one, as to the official grader. */
export function readTurns(value: PythonValue | undefined): readonly (readonly (readonly MadeCall[])[])[] {
  return listOf(value, 'turns').map((turn, index) =>
    listOf(turn, `turns[${index}]`).map((step) => readStep(step, `turns[${index}]`)),
  );
}

function readStep(step: PythonValue, where: string): readonly MadeCall[] {
  if (step === null) return [];
  return listOf(step, where).map((call) => readMadeCall(call, where));
}

/** A call as Python writes it, as `{"name", "arguments"}`, or as BFCL's `{"<name>": {…}}`. */
function readMadeCall(call: PythonValue, where: string): MadeCall {
  if (typeof call === 'string') return readWritten(call, where);
  const members = requireDict(call, where);
  const name = members.get('name');
  const given = members.get('arguments');
  if (typeof name === 'string' && given !== undefined)
    return { name, named: requireDict(given, `${where}.arguments`) };
  const [[only, named] = [undefined, null]] = members;
  if (only === undefined || members.size !== 1) wrong(call, where, 'one call');
  return { name: only, named: requireDict(named, `${where}.${only}`) };
}

function readWritten(text: string, where: string): MadeCall {
  try {
    return readCall(text);
  } catch (cause) {
    throw new WhetstoneError(
      'benchmark_line',
      `“${where}” has a call that could not be read, ${JSON.stringify(text)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

import { requireDict, requireText, wrong } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { categories, type Version } from './category.ts';
import { checkCalls } from './check-calls.ts';
import type { Finding } from './finding.ts';
import { type BfclFolder, openFolder } from './folder.ts';
import { checkTurns } from './multi-turn/check-turns.ts';
import { readTurns } from './multi-turn/dialogue.ts';
import { type Question, readQuestion } from './question.ts';

/** The answer to one line: whether the calls are valid, or the official checker's own word for why not. */
export type BfclVerdict =
  | { readonly id: string; readonly valid: true }
  | {
      readonly id: string;
      readonly valid: false;
      readonly error_type: string;
      readonly reasons: readonly string[];
    };

/** Opens the data of the Berkeley function-calling leaderboard, of 2024-08 or of v4, whichever the folder holds. */
export function openBfcl(folder: string): (line: string) => BfclVerdict {
  return bfclGrader(openFolder(folder));
}

export function bfclGrader(data: BfclFolder): (line: string) => BfclVerdict {
  return (text) => {
    const line = requireDict(readJson(text), 'line');
    const id = requireText(line.get('id'), 'id');
    const found = findingOf(line, data);
    if (found === undefined) return { id, valid: true };
    return { id, valid: false, error_type: found.type, reasons: found.reasons };
  };
}

function findingOf(line: PythonDict, data: BfclFolder): Finding | undefined {
  const task = line.get('task');
  const dialogue = typeof task === 'string' ? data.dialogue(task) : undefined;
  if (dialogue !== undefined) return checkTurns(readTurns(line.get('turns')), dialogue);
  const question = questionOf(line, data);
  const calls = line.get('calls');
  if (calls === undefined) wrong(calls, 'calls', 'a list of calls, or null where none could be read');
  return checkCalls(readCalls(calls), question, writesUnderscores(line, data));
}

function questionOf(line: PythonDict, data: BfclFolder): Question {
  const task = line.get('task');
  if (task !== undefined) {
    const id = requireText(task, 'task');
    return data.question(id) ?? wrong(task, 'task', 'the id of a question in the data');
  }
  const version = requireText(line.get('version'), 'version');
  if (!Object.hasOwn(categories, version))
    wrong(version, 'version', `one of ${Object.keys(categories).join(', ')}`);
  return readQuestion({
    version: version as Version,
    category: requireText(line.get('category'), 'category'),
    functions: line.get('function'),
    answer: line.get('possible_answer'),
  });
}

function writesUnderscores(line: PythonDict, data: BfclFolder): boolean {
  const model = line.get('model') ?? null;
  if (model !== null && typeof model !== 'string') wrong(model, 'model', 'a text');
  const said = line.get('underscore_for_dot') ?? null;
  if (said !== null && typeof said !== 'boolean') wrong(said, 'underscore_for_dot', 'true or false');
  return said ?? (model !== null && data.writesUnderscores(model));
}

/** Calls in BFCL's own form, `{"<name>": {…}}`; also `{"name", "arguments"}` is read. */
function readCalls(calls: PythonValue): PythonValue {
  return Array.isArray(calls) ? calls.map(readCall) : calls;
}

function readCall(call: PythonValue): PythonValue {
  if (!(call instanceof Map)) return call;
  const name = call.get('name');
  const given = call.get('arguments');
  return typeof name === 'string' && given !== undefined ? new Map([[name, given]]) : call;
}

import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { TaskResult } from '../../../eval/statistics/result.ts';

/** The results that a member of a line holds; whatever is wrong with one is said with its place and value. */
export function readResults(line: JsonObject, name: string): readonly TaskResult[] {
  const list = line[name];
  if (!Array.isArray(list)) throw bad(name, 'a list of results', list);
  if (list.length === 0)
    throw new WhetstoneError('results_invalid', `"${name}" is empty: there is nothing to count.`);
  return (list as readonly JsonValue[]).map((result, index) => readResult(result, `${name}[${index}]`));
}

function readResult(result: JsonValue, at: string): TaskResult {
  if (!isJsonObject(result)) throw bad(at, 'an object with "task" and "reward"', result);
  const { task, template, trial, reward, success } = result;
  if (typeof task !== 'string') throw bad(`${at}.task`, 'a text', task);
  if (typeof reward !== 'number' || !(reward >= 0 && reward <= 1))
    throw bad(`${at}.reward`, 'a number from 0 to 1', reward);
  if (template !== undefined && template !== null && typeof template !== 'string')
    throw bad(`${at}.template`, 'a text', template);
  if (success !== undefined && success !== null && typeof success !== 'boolean')
    throw bad(`${at}.success`, 'true or false', success);
  return {
    task,
    reward,
    ...(typeof template === 'string' && { template }),
    ...((typeof trial === 'string' || typeof trial === 'number') && { trial }),
    ...(typeof success === 'boolean' && { success }),
  };
}

export function bad(at: string, expected: string, value: JsonValue | undefined): WhetstoneError {
  const got = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
  return new WhetstoneError('results_invalid', `"${at}" must be ${expected}; it is ${got}.`, {
    details: { at },
  });
}

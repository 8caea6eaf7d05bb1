import type { JsonObject } from '../../base/json/value.ts';
import { requireDict, requireText } from '../python/field.ts';
import { writeJson } from '../python/json.ts';
import type { PythonValue } from '../python/value.ts';
import type { SpeakerTool } from './speaker.ts';

/** A tool as OpenAI's API describes it, which is how benchmarks write theirs. */
export function readDescription(value: PythonValue, where: string): SpeakerTool {
  const tool = requireDict(requireDict(value, where).get('function'), `${where}.function`);
  const parameters = requireDict(tool.get('parameters'), `${where}.function.parameters`);
  return {
    name: requireText(tool.get('name'), `${where}.function.name`),
    description: requireText(tool.get('description'), `${where}.function.description`),
    input: jsonOf(parameters) as JsonObject,
  };
}

/** A value of Python's as JSON has it. */
export function jsonOf(value: PythonValue): unknown {
  return JSON.parse(writeJson(value));
}

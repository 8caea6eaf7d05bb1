import { requireDict } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { SpeakerTool, SpokenCall, Utterance } from '../seat/speaker.ts';
import type { Side } from './environment.ts';
import type { SpokenTool } from './spoken/tool.ts';

/** The benchmark's own limits. */
export const mostSteps = 200;
export const mostErrors = 10;

/** What the person writes when they are done, are handed over, or have nothing to go by. */
export const stops = ['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###'];

/** What a side wrote and called, as the benchmark records it. */
export function messageOf(side: Side, { text, calls }: Utterance): PythonDict {
  // A call that cannot be read changes nothing, so it is not among those that are graded.
  const readable = calls.flatMap((call) => {
    const kwargs = argumentsOf(call);
    if (kwargs === undefined) return [];
    return [dictOf({ id: call.id, name: call.name, arguments: kwargs, requestor: side })];
  });
  return dictOf({
    role: side,
    content: text === '' ? null : text,
    tool_calls: readable.length === 0 ? null : readable,
  });
}

/** `undefined` where they are not a JSON object. */
export function argumentsOf({ arguments: text }: SpokenCall): PythonDict | undefined {
  try {
    return requireDict(readJson(text === '' ? '{}' : text), 'arguments');
  } catch {
    return undefined;
  }
}

/** Words alone. */
export function saying(text: string): Utterance {
  return { text, calls: [] };
}

export function dictOf(members: Readonly<Record<string, PythonValue>>): PythonDict {
  return new Map(Object.entries(members));
}

/** Tools as a speaker is told of them. */
export function toolsOf(tools: Readonly<Record<string, SpokenTool>>): readonly SpeakerTool[] {
  return Object.entries(tools).map(([name, { description, parameters, optional = {} }]) => ({
    name,
    description,
    input: {
      type: 'object',
      properties: parameters,
      required: Object.keys(parameters).filter((each) => !Object.hasOwn(optional, each)),
    },
  }));
}

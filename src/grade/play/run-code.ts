import { fileURLToPath } from 'node:url';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { plainJson } from '../scenario/plain-json.ts';
import type { ToolOffer, WorldFunction } from '../scenario/task.ts';
import { withinTime } from '../scenario/time-limit.ts';
import type { CallOutcome } from '../scenario/transcript.ts';
import { equalJson } from '../scenario/world-path.ts';

/** What a call did: the world after it, what the model reads, and the facts that it was shown. */
export interface Ran {
  readonly world: JsonObject;
  readonly outcome: CallOutcome;
  readonly reveals: readonly string[];
}

/**
 * Runs a function of a TypeScript world, on an input that the tool's schema takes. What the function does wrong is the
 * scenario's fault, and thrown. It gets copies and gives a copy, so that no play can reach into another; and it has a time to answer in, as it would hold up everybody.
 */
export function runCode(
  run: WorldFunction,
  call: { readonly offer: ToolOffer; readonly world: JsonObject; readonly input: JsonValue },
  limitMs = 2000,
): Ran {
  const { offer, world, input } = call;
  const name = offer.id;
  try {
    const before = structuredClone(world);
    const given = structuredClone(input) as JsonObject;
    const answer = withinTime(limitMs, () => plainJson(run(before, given)));
    if (!isJsonObject(answer) || !('output' in answer))
      throw new Error('it answered without an output; write { output: …, world: … }');
    const { output, world: after, isError, reveals } = answer;
    if (after !== undefined && !isJsonObject(after))
      throw new Error('the world that it answered is not an object');
    if (after === undefined && !equalJson(before, world))
      throw new Error('it changed its world and did not answer it; add "world" to what it returns');
    return {
      world: after ?? world,
      outcome: {
        name,
        output: typeof output === 'string' ? output : JSON.stringify(output),
        ...(isError === true ? { isError } : {}),
      },
      reveals: Array.isArray(reveals) ? reveals.map(String) : [],
    };
  } catch (error) {
    throw worldThrew(name, error);
  }
}

function worldThrew(name: string, error: unknown): WhetstoneError {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = placeIn(stack);
  // What this file found wrong with the answer has no line in the world.
  const inWorld = at !== undefined && !/(?:run-code|plain-json|time-limit)\.[jt]s/.test(at) ? at : undefined;
  return new WhetstoneError(
    'world_threw',
    `The world's tool "${name}" threw: ${message.replace(/\.$/, '')}${inWorld ? ` (at ${inWorld})` : ''}.`,
    { details: { tool: name, ...(inWorld ? { at: inWorld } : {}) }, cause: error },
  );
}

/** The first place of a stack, as a path: folders may have blanks and brackets in their names, and a URL writes them otherwise. */
function placeIn(stack: string): string | undefined {
  const found = /^ +at (?:.*? \()?((?:file:\/\/)?\/.*?)(:\d+:\d+)\)?$/m.exec(stack);
  if (!found) return undefined;
  const [, file = '', place = ''] = found;
  return `${file.startsWith('file:') ? fileURLToPath(file) : file}${place}`;
}

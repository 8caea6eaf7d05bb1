import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { checkValue } from '../../base/schema/check-at-once.ts';
import { describeIssue } from '../../base/schema/issue.ts';
import { plainJson } from './plain-json.ts';
import type { ToolOffer, WorldFunction } from './task.ts';
import { withinTime } from './time-limit.ts';
import type { CallOutcome } from './transcript.ts';
import { equalJson } from './world-path.ts';

/** What a call did: the world after it, what the model reads, and the facts that it was shown. */
export interface Ran {
  readonly world: JsonObject;
  readonly outcome: CallOutcome;
  readonly reveals: readonly string[];
}

/**
 * Runs a function of a TypeScript world. An input that the tool's schema refuses never reaches it: that is the model's
 * mistake, which it is told. What the function does wrong is the scenario's fault, and thrown. It gets copies and gives
 * a copy, so that no play can reach into another; and it has a time to answer in, as it would hold up everybody.
 */
export function runCode(
  run: WorldFunction,
  call: { readonly offer: ToolOffer; readonly world: JsonObject; readonly input: JsonValue },
  limitMs = 2000,
): Ran {
  const { offer, world, input } = call;
  const name = offer.id;
  const issues = checkValue(offer.json_schema ?? true, input);
  if (issues.length > 0) {
    const said = issues.map((issue) =>
      describeIssue({ ...issue, place: issue.place === '' ? 'the input' : issue.place }),
    );
    return { world, outcome: { name, output: said.join(' '), isError: true }, reveals: [] };
  }
  try {
    const before = structuredClone(world);
    const given = structuredClone(input) as JsonObject;
    const answer = withinTime(limitMs, () => plainJson(run(before, given)));
    if (!isJsonObject(answer) || !('output' in answer))
      throw new Error('it answered without an output; write { output: …, world: … }');
    const { output, world: after, isError, reveals } = answer;
    if (after !== undefined && !isJsonObject(after))
      throw new Error('the world that it answered is no object');
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
  const at = /\(?((?:file:\/\/)?\/[^()\s]+:\d+:\d+)\)?/.exec(stack)?.[1]?.replace('file://', '');
  // What this file found wrong with the answer has no line in the world.
  const inWorld = at !== undefined && !/(?:run-code|plain-json|time-limit)\.[jt]s/.test(at) ? at : undefined;
  return new WhetstoneError(
    'world_threw',
    `The world's tool "${name}" threw: ${message.replace(/\.$/, '')}${inWorld ? ` (at ${inWorld})` : ''}.`,
    { details: { tool: name, ...(inWorld ? { at: inWorld } : {}) }, cause: error },
  );
}

import { checkValue } from '../../base/schema/check/check-at-once.ts';
import { describeIssue } from '../../base/schema/check/issue.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { equalJson, readPath, readSteps, writeSteps } from '../scenario/world-path.ts';
import { runCode } from './run-code.ts';
import type { Ran } from './run-code.ts';
import type { Task, WorldStep } from '../scenario/task.ts';
import type { CallOutcome, TurnCall } from '../scenario/transcript.ts';
import type { PastCall } from '../scenario/play-state.ts';

/** Runs one call: a function tool acts on the world, an artifact or a decision is received, an unknown tool is said to be unknown. */
export function runFunction(
  task: Task,
  options: {
    readonly call: TurnCall;
    readonly world: JsonObject;
    readonly earlier: readonly PastCall[];
    /** What the page answered to the call, where it acts on one. */
    readonly acted?: CallOutcome | undefined;
  },
): Ran {
  const { call, world, earlier, acted } = options;
  const offer = task.tools.find((tool) => tool.id === call.name);
  const outcome = answeredAtOnce(task, call, earlier);
  if (offer === undefined || outcome !== undefined)
    return { world, outcome: outcome ?? { name: call.name, output: '' }, reveals: [] };
  const tool = task.functions[call.name];
  if (tool?.page) return shownByPage(call, world, acted);
  if (tool?.run) return runCode(tool.run, { offer, world, input: call.input });
  const input = isJsonObject(call.input) ? call.input : {};
  const done = runSteps(tool?.steps ?? [], { world, input });
  return {
    world: done.world,
    outcome: { name: call.name, output: done.output, ...(done.isError ? { isError: true } : {}) },
    reveals: done.reveals,
  };
}

/** What a call is answered with before it reaches the world: it is unknown, only received, refused by its schema, or made to fail. */
export function answeredAtOnce(
  task: Task,
  call: TurnCall,
  earlier: readonly Pick<PastCall, 'name'>[],
): CallOutcome | undefined {
  const answer = (output: string, rest: Partial<CallOutcome> = {}): CallOutcome => ({
    name: call.name,
    output,
    ...rest,
  });
  const offer = task.tools.find((tool) => tool.id === call.name);
  if (!offer) {
    const known = task.tools.map((tool) => tool.id).join(', ');
    return answer(`There is no tool "${call.name}". Known: ${known}.`, { isError: true });
  }
  if (offer.type !== 'function') return answer(`${offer.name}: received.`);
  // Counted only where it matters: a model may call very often.
  const faults = task.faults.filter(({ tool: name }) => name === call.name);
  const calledBefore = faults.length === 0 ? 0 : earlier.filter((past) => past.name === call.name).length;
  for (const fault of faults)
    if (calledBefore < fault.times) return answer(fault.error, { isError: true, injected: true });
  // What the schema refuses never reaches the world: that is the model's mistake, which it is told.
  const issues = checkValue(offer.json_schema ?? true, call.input);
  if (issues.length > 0) {
    const said = issues.map((issue) =>
      describeIssue({ ...issue, place: issue.place === '' ? 'the input' : issue.place }),
    );
    return answer(said.join(' '), { isError: true });
  }
  return undefined;
}

/** The world after an action on the page: what the page keeps, and the facts that it says it has shown. */
function shownByPage(call: TurnCall, world: JsonObject, acted: CallOutcome | undefined): Ran {
  if (acted === undefined) {
    const output = 'There is no browser here: nothing was done.';
    return { world, outcome: { name: call.name, output, isError: true }, reveals: [] };
  }
  const page = acted.page ?? {};
  const reveals = Array.isArray(page['reveals']) ? page['reveals'].map(String) : [];
  return { world: { ...world, page }, outcome: acted, reveals };
}

export interface Done {
  readonly world: JsonObject;
  readonly output: string;
  readonly isError: boolean;
  readonly reveals: readonly string[];
}

/** Runs the first step whose conditions hold. */
export function runSteps(
  steps: readonly WorldStep[],
  given: { readonly world: JsonObject; readonly input: JsonObject },
): Done {
  const { world, input } = given;
  for (const step of steps) {
    if (step.if && !Object.entries(step.if).every(([path, wanted]) => holds(path, wanted, given))) continue;
    if (step.error !== undefined)
      return {
        world,
        output: fillText(textOf(step.error), input),
        isError: true,
        reveals: step.reveals ?? [],
      };
    let next = world;
    for (const [path, value] of Object.entries(step.set ?? {}))
      next = writeSteps(next, stepsOf(path, input), fill(value, input));
    return { world: next, output: outputOf(step, next, input), isError: false, reveals: step.reveals ?? [] };
  }
  return { world, output: 'Nothing was found for this input.', isError: true, reveals: [] };
}

function outputOf(step: WorldStep, world: JsonObject, input: JsonObject): string {
  if (step.answer !== undefined) return textOf(fill(step.answer, input));
  if (step.read !== undefined) return textOf(readSteps(world, stepsOf(step.read, input)) ?? null);
  if (step.find) {
    const place = readSteps(world, stepsOf(step.find.in, input));
    const entries = Array.isArray(place) ? place : isJsonObject(place) ? Object.values(place) : [];
    const where = Object.entries(step.find.where);
    return textOf(
      entries.filter((entry) =>
        where.every(
          ([field, wanted]) => isJsonObject(entry) && isSame(entry[field] ?? null, fill(wanted, input)),
        ),
      ),
    );
  }
  return 'Done.';
}

/** `path: value` compares; `path: true` with a path ending in `?` asks whether there is a value. */
function holds(path: string, wanted: JsonValue, given: { world: JsonObject; input: JsonObject }): boolean {
  const asksExistence = path.endsWith('?');
  const place = stepsOf(asksExistence ? path.slice(0, -1) : path, given.input);
  const found = place[0] === 'input' ? readSteps(given.input, place.slice(1)) : readSteps(given.world, place);
  if (asksExistence) return (found !== undefined) === wanted;
  return found !== undefined && isSame(found, fill(wanted, given.input));
}

/** Texts are the same whatever their case, and the blanks around them. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  if (typeof one === 'string' && typeof other === 'string')
    return one.trim().toLowerCase() === other.trim().toLowerCase();
  return equalJson(one, other);
}

/** A path is cut before it is filled: what a model writes into it is one name, whatever dots it has. */
function stepsOf(path: string, input: JsonObject): readonly string[] {
  return path === '' ? [] : path.split(/\.(?![^{}]*\})/).map((step) => fillText(step, input));
}

/** `{field}` means the input's field; a text that is nothing else takes the value itself. */
function fill(value: JsonValue, input: JsonObject): JsonValue {
  if (typeof value === 'string') {
    const whole = /^\{([\w.]+)\}$/.exec(value);
    if (whole) return readPath(input, whole[1]!) ?? null;
    return fillText(value, input);
  }
  if (Array.isArray(value)) return value.map((item: JsonValue) => fill(item, input));
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, input)]));
  return value;
}

function fillText(text: string, input: JsonObject): string {
  return text.replace(/\{([\w.]+)\}/g, (_, path: string) => {
    const found = readPath(input, path);
    return found === undefined ? '' : textOf(found).trim();
  });
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

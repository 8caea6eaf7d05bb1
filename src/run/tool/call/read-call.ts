import { setMember } from '../../../base/json/member.ts';
import { NumberToken } from '../../../base/json/number-token.ts';
import { formatPointer, getByPointer, parsePointer } from '../../../base/json/pointer.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { readArguments } from '../../../base/message/arguments.ts';
import type { Call } from '../../../base/message/call.ts';
import { describeIssues } from '../../../base/schema/check/issue.ts';
import type { Issue } from '../../../base/schema/check/issue.ts';
import { loadChecker } from '../../../base/schema/check/check.ts';
import type { CheckedArguments } from './check-arguments.ts';
import type { CallErrorCode } from './call-record.ts';
import { messageOf } from './call-text.ts';
import type { ArgumentChange, TextFormat } from '../contract.ts';
import type { PreparedTool } from '../prepare-tool.ts';

/** The arguments of a call, fit to run; or what is wrong with them, in words for the model. */
export type ReadCall =
  | {
      readonly ok: true;
      /** What the tool gets. */
      readonly input: unknown;
      /** What the model asked for in effect: after repair and coercion, without what is injected. This is hashed. */
      readonly arguments: JsonValue;
      readonly changes: readonly ArgumentChange[];
    }
  | { readonly ok: false; readonly code: CallErrorCode; readonly text: string; readonly cause?: unknown };

export interface ReadCallOptions {
  readonly injected: Readonly<Record<string, unknown>>;
  readonly repair: boolean;
  readonly coerce: boolean;
}

/**
 * Reads and checks the arguments of a call. At once when the checker is there already; a promise the first time.
 * Nothing is repaired or coerced unless it was asked for.
 */
export function readCall(
  made: Call,
  tool: PreparedTool,
  options: ReadCallOptions,
): ReadCall | Promise<ReadCall> {
  const call = withOwnArguments(made);
  if (call.kind === 'computer' || tool.spec.kind === 'hosted') return asActions(call);
  if (tool.checker === undefined) return asText(call, tool);
  const reading = readArguments(call);
  if (reading.ok) return checkObject(reading.value, tool, options, noChanges);
  if (!options.repair || typeof call.arguments !== 'string') return notReadable(call, reading);
  return repairAndCheck(call, call.arguments, tool, options);
}

const noChanges: readonly ArgumentChange[] = [];

function asActions(call: Call): ReadCall {
  const input = { actions: call.actions ?? [], safetyChecks: call.safetyChecks ?? [], call };
  const shown = readArguments(call);
  return { ok: true, input, arguments: shown.ok ? shown.value : call.arguments, changes: noChanges };
}

/** A custom tool gets what the model wrote, letter by letter. */
function asText(call: Call, { name, tool }: PreparedTool): ReadCall {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const format = typeof tool.text === 'object' ? tool.text : undefined;
  if (format?.syntax === 'regex' && !followsGrammar(text, format)) {
    const wrong = `The text for "${name}" does not follow its grammar, so it was not run: all of it must match the regular expression ${format.definition}`;
    return { ok: false, code: 'invalid_arguments', text: `${wrong}\nCall it again with a text that does.` };
  }
  return { ok: true, input: text, arguments: text, changes: noChanges };
}

const grammars = new WeakMap<object, RegExp | 'unknown'>();

/** Only some providers hold a model to a grammar. One in words that JavaScript has not is theirs alone to check. */
function followsGrammar(text: string, format: Grammar): boolean {
  const known = grammars.get(format) ?? grammarOf(format.definition);
  grammars.set(format, known);
  return known === 'unknown' || known.test(text);
}

type Grammar = Exclude<TextFormat, 'any'>;

function grammarOf(definition: string): RegExp | 'unknown' {
  try {
    return new RegExp(`^(?:${definition})$`, 'u');
  } catch {
    return 'unknown';
  }
}

function checkObject(
  given: JsonObject,
  tool: PreparedTool,
  options: ReadCallOptions,
  before: readonly ArgumentChange[],
): ReadCall | Promise<ReadCall> {
  if (tool.checker === undefined) throw new Error('Only tools with a schema are checked.');
  const { shown, complete, changes } = tool.inject.length === 0 ? plain(given) : inject(given, tool, options);
  const missing = tool.inject.find(
    (name) => mustBeGiven(name, tool) && !Object.hasOwn(options.injected, name),
  );
  if (missing !== undefined) {
    const text = `"${tool.name}" was not run: it needs "${missing}" from the program, and the program has not given it (\`injected\`). This is a fault in the program, not in the call.`;
    return { ok: false, code: 'failed', text };
  }
  const told = before.length + changes.length === 0 ? noChanges : [...before, ...changes];
  const finish = (outcome: CheckedArguments): ReadCall | Promise<ReadCall> => {
    if (outcome.ok) return { ok: true, input: outcome.value, arguments: shown, changes: told };
    const filled = withoutNulls(complete, outcome.issues);
    if (filled === undefined) return orCoerced(complete, outcome, told);
    // A model that knows nothing to say for an optional field often says null; providers without strict mode let it.
    const again = tool.checker?.check(filled.value);
    const decide = (read: CheckedArguments | undefined): ReadCall | Promise<ReadCall> => {
      const toldToo = [...told, ...filled.changes];
      if (read?.ok === true)
        return {
          ok: true,
          input: read.value,
          arguments: withoutKeys(filled.value, tool.inject),
          changes: toldToo,
        };
      return read === undefined || !options.coerce
        ? misfit(tool, outcome)
        : coerceAndCheck(filled.value, tool, read, toldToo, outcome);
    };
    return again instanceof Promise ? again.then(decide) : decide(again);
  };
  const orCoerced = (
    value: JsonObject,
    outcome: Misfit,
    changed: readonly ArgumentChange[],
  ): ReadCall | Promise<ReadCall> =>
    options.coerce ? coerceAndCheck(value, tool, outcome, changed) : misfit(tool, outcome);
  try {
    const checked = tool.checker.check(complete);
    return checked instanceof Promise
      ? checked.then(finish).catch((cause: unknown) => notCheckable(tool, cause))
      : finish(checked);
  } catch (cause) {
    return notCheckable(tool, cause);
  }
}

/** What a schema runs of the user's own (a refinement that asks a database, a transform) may throw like any tool. */
function notCheckable(tool: PreparedTool, cause: unknown): ReadCall {
  const text = `The arguments of "${tool.name}" could not be read: ${messageOf(cause)}`;
  return { ok: false, code: 'invalid_arguments', text, cause };
}

function mustBeGiven(name: string, tool: PreparedTool): boolean {
  const required = tool.checker?.schema['required'];
  return Array.isArray(required) && required.includes(name);
}

type Misfit = Extract<CheckedArguments, { ok: false }>;

function misfit(tool: PreparedTool, { issues }: Misfit): ReadCall {
  const text =
    `The arguments of "${tool.name}" do not fit its schema, so it was not run:\n` +
    `${describeIssues(issues)}\nCall it again with these corrected; leave the rest as it is.`;
  return { ok: false, code: 'invalid_arguments', text };
}

/** Where that was allowed: what was written as something else is read as what the schema wants, and checked again. */
async function coerceAndCheck(
  given: JsonObject,
  tool: PreparedTool,
  before: Misfit,
  told: readonly ArgumentChange[],
  first = before,
): Promise<ReadCall> {
  const { checker } = tool;
  const { coerce } = await import('../../../base/schema/check/coerce.ts');
  await loadChecker();
  const { value, coercions } = coerce(checker?.schema ?? true, given);
  const again = coercions.length > 0 && isJsonObject(value) ? await checker?.check(value) : undefined;
  if (again?.ok !== true || !isJsonObject(value)) return misfit(tool, first);
  const changes = coercions.map(({ path, place, from, to }) => ({
    kind: 'coerced' as const,
    path,
    text: `${place}: ${JSON.stringify(from)} was read as ${JSON.stringify(to)}`,
    from,
    to,
  }));
  // What was injected must not come back into sight.
  const effective = withoutKeys(value, tool.inject);
  return { ok: true, input: again.value, arguments: effective, changes: [...told, ...changes] };
}

/** The arguments without the members that are null and must not be, if there are any: each is told as a change. */
function withoutNulls(
  given: JsonObject,
  issues: readonly Issue[],
): { readonly value: JsonObject; readonly changes: readonly ArgumentChange[] } | undefined {
  const nulls = issues.filter(({ path, found }) => found === null && path !== '');
  if (nulls.length === 0) return undefined;
  const value = copyOf(given) as Record<string, JsonValue>;
  const changes: ArgumentChange[] = [];
  for (const { path, place } of nulls) {
    const keys = parsePointer(path);
    const holder = getByPointer(value, formatPointer(keys.slice(0, -1)));
    const key = String(keys.at(-1));
    // An element of a list has a place, and cannot be left out.
    if (!isJsonObject(holder) || holder[key] !== null) continue;
    delete (holder as Record<string, JsonValue>)[key];
    changes.push({ kind: 'coerced', path, text: `${place}: null was read as not given`, from: null });
  }
  return changes.length === 0 ? undefined : { value, changes };
}

interface Injected {
  readonly shown: JsonObject;
  readonly complete: JsonObject;
  readonly changes: readonly ArgumentChange[];
}

function plain(given: JsonObject): Injected {
  return { shown: given, complete: given, changes: noChanges };
}

/** Takes away what a model forged for hidden properties, and fills in what the run was given. */
function inject(given: JsonObject, tool: PreparedTool, options: ReadCallOptions): Injected {
  const shown = withoutKeys(given, tool.inject);
  const changes = tool.inject
    .filter((name) => Object.hasOwn(given, name))
    .map((name) => ({
      kind: 'stripped' as const,
      path: `/${name}`,
      text: `"${name}" is not the model's to set`,
      from: given[name] as JsonValue,
    }));
  const complete: Record<string, unknown> = { ...shown };
  for (const name of tool.inject) {
    if (Object.hasOwn(options.injected, name)) complete[name] = options.injected[name];
  }
  return { shown, complete: complete as JsonObject, changes };
}

function withoutKeys(value: JsonObject, keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(value, key))) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** What is missing or left out may have been anything: half a call must not run because it can be closed. */
const guesses: ReadonlySet<string> = new Set([
  'missing-closer',
  'missing-value',
  'several-values',
  'ellipsis',
]);

/** Where almost-JSON was allowed: the repaired arguments are checked like any others, and every change is told. */
async function repairAndCheck(
  call: Call,
  text: string,
  tool: PreparedTool,
  options: ReadCallOptions,
): Promise<ReadCall> {
  const { repairJson } = await import('../../../base/json/repair/repair.ts');
  let repaired: ReturnType<typeof repairJson>;
  try {
    repaired = repairJson(text);
  } catch {
    return notReadable(call, readArguments(call));
  }
  const { value } = repaired;
  const isGuess = repaired.changes.some((change) => guesses.has(change.kind));
  if (isGuess || !isJsonObject(value)) return notReadable(call, readArguments(call));
  const changes = repaired.changes.map((change) => ({
    kind: 'repaired' as const,
    path: '',
    text: change.note,
  }));
  return checkObject(value, tool, options, changes);
}

function notReadable(call: Call, reading: ReturnType<typeof readArguments>): ReadCall {
  const problem = reading.ok ? '' : reading.message;
  const text =
    `The call of "${call.name}" was not run. ${problem}\n` +
    `Call it again with one JSON object as its arguments, and nothing around it.`;
  return { ok: false, code: 'arguments_not_json', text };
}

/** What a provider gave as an object is in the history: a tool that changes its input must not change that. */
function withOwnArguments(call: Call): Call {
  if (typeof call.arguments === 'string' || call.kind === 'computer') return call;
  return { ...call, arguments: copyOf(call.arguments) };
}

/** At any depth: the check reports what is nested too deeply. */
function copyOf<Value extends object>(value: Value): Value {
  const whole = shellOf(value);
  const open: object[] = [whole];
  // It grows while it is gone through.
  for (const each of open)
    for (const key of Object.keys(each)) {
      const inner = each[key as keyof typeof each] as unknown;
      if (typeof inner !== 'object' || inner === null || inner instanceof NumberToken) continue;
      const copy = shellOf(inner);
      setMember(each as Record<string, unknown>, key, copy);
      open.push(copy);
    }
  return whole;
}

function shellOf<Value extends object>(value: Value): Value {
  return (Array.isArray(value) ? [...(value as readonly unknown[])] : { ...value }) as Value;
}

import { WhetstoneError } from '../../host/errors.ts';
import { Recent } from '../../host/recent.ts';
import { show } from '../../host/show.ts';
import { formatPath } from '../../json/path.ts';
import { getByPointer, parsePointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import type { CompiledCheck, LibraryError } from './checker.ts';
import { comparableValue } from './comparable.ts';
import { explain } from './explain.ts';
import type { Issue } from './issue.ts';
import type { JsonSchema } from '../json-schema.ts';
import { type Asked, prepare } from '../prepare.ts';
import { References } from '../reference.ts';
import { unlessTooDeep } from '../too-deep.ts';

export interface CheckOptions {
  /** True: `format` is asserted. By default it only informs, as both drafts have it. */
  readonly formats?: boolean;
  /** Documents that `$ref`s may point to, by URI. Nothing is ever fetched. */
  readonly remotes?: Readonly<Record<string, JsonSchema>>;
}

/** Loads the schema library; once is enough, and cheap after that. Every check needs it before. */
export async function loadChecker(): Promise<void> {
  library ??= loadAtOnce ? loadAtOnce() : await import('./checker.ts');
}

/** A caller that can load the library at once says how. It is never imported after that: Node refuses both at once. */
export function loadCheckerBy(load: () => Library): void {
  loadAtOnce = load;
}

/**
 * Checks a value: no issues, or all that were found. Synchronous, so `await loadChecker()` comes first.
 * A schema is compiled at its first check; the same schema, or an equal one, is not compiled again.
 */
export function checkValue(schema: JsonSchema, value: unknown, options: CheckOptions = {}): readonly Issue[] {
  const json = value as JsonValue;
  const met = unlessTooDeep(() => meet(schema, value, options));
  const fits = met && unlessTooDeep(() => met.compiled.holds(met.comparable));
  if (fits === undefined) return [unexplained(json, 'a value that is not nested so deeply')];
  if (!met || fits) return none;
  const { compiled, comparable } = met;
  const references = new References(schema, options?.remotes);
  const issues = [...(unlessTooDeep(() => explain(schema, json, references)) ?? [])];
  for (const error of unlessTooDeep(() => compiled.errors(comparable)) ?? []) {
    if (issues.length > 0 && !ownWords.has(error.keyword)) continue;
    const issue = fromLibrary(error, json);
    if (!issues.some((known) => known.path.startsWith(issue.path))) issues.push(issue);
  }
  return issues.length > 0 ? issues : [unexplained(json, 'a value that fits the schema')];
}

/** True when the value fits the schema; the cheap half of `checkValue`. */
export function holds(schema: JsonSchema, value: unknown, options: CheckOptions = {}): boolean {
  const met = unlessTooDeep(() => meet(schema, value, options));
  return met !== undefined && unlessTooDeep(() => met.compiled.holds(met.comparable)) === true;
}

/** The compiled schema, and the value with its number tokens as what the library can compare. */
function meet(
  schema: JsonSchema,
  value: unknown,
  options: CheckOptions,
): { readonly compiled: CompiledCheck; readonly comparable: unknown } {
  const { comparable, bigNumbers } = comparableValue(value);
  const { formats, remotes } = options ?? {};
  const compiled = compile(schema, { formats: formats === true, bigNumbers }, remotes);
  return { compiled, comparable };
}

type Library = typeof import('./checker.ts');

let library: Library | undefined;
let loadAtOnce: (() => Library) | undefined;
const none: readonly Issue[] = [];
const byIdentity = new WeakMap<object, Map<string, CompiledCheck>>();
/** A server keeps seeing new schemas: one that has not been asked for in a long while is compiled again. */
const byContent = new Recent<string, CompiledCheck>(2000);

function compile(schema: JsonSchema, asked: Asked, remotes: CheckOptions['remotes']): CompiledCheck {
  library ??= loadAtOnce?.();
  if (!library)
    throw new WhetstoneError(
      'checker_not_loaded',
      'A value was checked before the schema library was loaded. Await loadChecker() first.',
    );
  if (remotes) return compileWith(schema, asked, remotes);
  const variant = `${asked.formats ? 'formats ' : ''}${asked.bigNumbers ? 'big numbers ' : ''}`;
  const identity: object = typeof schema === 'object' ? schema : schema ? anything : nothing;
  let variants = byIdentity.get(identity);
  const known = variants?.get(variant);
  if (known) return known;
  const content = `${variant}${textOf(schema)}`;
  let compiled = byContent.get(content);
  if (!compiled) byContent.set(content, (compiled = compileWith(schema, asked, {})));
  if (!variants) byIdentity.set(identity, (variants = new Map()));
  variants.set(variant, compiled);
  return compiled;
}

function textOf(schema: JsonSchema): string {
  try {
    return JSON.stringify(schema);
  } catch (cause) {
    throw new WhetstoneError('schema_not_compiled', `${show(schema)} is not a schema: it is not JSON.`, {
      details: { schema },
      cause,
    });
  }
}

const anything = {};
const nothing = {};

function compileWith(
  schema: JsonSchema,
  asked: Asked,
  remotes: Readonly<Record<string, JsonSchema>>,
): CompiledCheck {
  const registered = Object.fromEntries(
    Object.entries(remotes).map(([uri, remote]) => [uri, prepare(remote, asked, remotes)]),
  );
  try {
    return (library as NonNullable<typeof library>).compileCheck(prepare(schema, asked, remotes), registered);
  } catch (cause) {
    throw new WhetstoneError(
      'schema_not_compiled',
      `This schema cannot be checked: ${cause instanceof Error ? cause.message : String(cause)}`,
      { details: { schema }, cause },
    );
  }
}

/** Keywords that `explain` leaves to the library. */
const ownWords = new Set([
  'not',
  'contains',
  'propertyNames',
  'uniqueItems',
  'multipleOf',
  'format',
  'dependentRequired',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

function fromLibrary(error: LibraryError, value: JsonValue): Issue {
  const place = parsePointer(error.instancePath);
  let found: JsonValue | undefined = value;
  const keys = place.map((key) => {
    const index = Array.isArray(found) ? Number(key) : key;
    found = getByPointer(found ?? null, [index]);
    return index;
  });
  const issue = {
    path: error.instancePath,
    place: formatPath(keys),
    keyword: error.keyword,
    expected: inWords(error),
  };
  return found === undefined ? issue : { ...issue, found };
}

function inWords(error: LibraryError): string {
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'multipleOf':
      return `a multiple of ${String(params['multipleOf'])}`;
    case 'format':
      return `a string in the format ${String(params['format'])}`;
    case 'uniqueItems':
      return 'a list without two equal items';
    case 'dependentRequired':
    case 'dependencies':
      return `${list(params['dependencies'])} together with ${String(params['property'])}`;
    case 'unevaluatedProperties':
      return `no properties but those that are known (not ${list(params['unevaluatedProperties'])})`;
    case 'unevaluatedItems':
      return 'no further items';
    case 'propertyNames':
      return `other property names than ${list(params['propertyNames'])}`;
    case 'contains':
      return 'a list with certain items in it';
    case 'not':
      return 'something that the schema does not exclude';
    default:
      return error.message.replace(/^must (be|have|match) /, '');
  }
}

function list(names: unknown): string {
  return Array.isArray(names) ? names.join(', ') : String(names);
}

function unexplained(value: JsonValue, expected: string): Issue {
  return { path: '', place: '', keyword: 'schema', expected, found: value };
}

import { formatPath } from '../../../base/json/path.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { isDefined } from '../define.ts';
import { loadModule, placeOfError, remedyFor, sayError } from './load-module.ts';
import { findMember } from './member-location.ts';
import { NotPlain, plainJson } from '../plain-json.ts';
import { locationAt } from '../diagnostic.ts';
import type { Diagnostic, SourceLocation, SourceFile } from '../diagnostic.ts';
import { readText } from './read-text.ts';
import { functionsIn, NoTool } from './world-code.ts';
import type { WorldCode } from './world-code.ts';

/** What a `scenario.ts` holds, taken apart as if it was in YAML files. */
export interface ModuleScenario {
  readonly source: SourceFile;
  readonly paths?: SourceFile;
  readonly questions?: SourceFile;
  readonly code: WorldCode;
}

/** Reads a scenario that is written in TypeScript. What throws, or is not data, is a fault and is left out. */
export function readModuleScenario(
  file: string,
): ModuleScenario | { readonly faults: readonly Diagnostic[] } {
  try {
    const { written } = scenarioIn(loadModule(file));
    const { paths, questions, code, ...rest } = written as Readonly<Record<string, unknown>>;
    return {
      source: moduleSource(file, plainJson(rest)),
      ...(paths === undefined ? {} : { paths: moduleSource(file, plainJson(paths, ['paths']), ['paths']) }),
      ...(questions === undefined
        ? {}
        : { questions: moduleSource(file, plainJson(questions, ['questions']), ['questions']) }),
      code: codeIn(code),
    };
  } catch (error) {
    if (error instanceof NotPlain)
      return { faults: [{ message: error.message, place: memberPlace(file, error.path) }] };
    const place =
      error instanceof NoTool ? memberPlace(file, ['code', error.tool]) : placeOfError(error, file);
    return {
      faults: [
        { message: `The scenario cannot be loaded: ${sayError(error)}.${remedyFor(error, place)}`, place },
      ],
    };
  }
}

function scenarioIn(module: Readonly<Record<string, unknown>>): { readonly written: object } {
  const found = new Set(Object.values(module).filter(isDefined));
  const [one] = found;
  if (!one || found.size > 1)
    throw new Error(
      `it exports ${found.size === 0 ? 'no scenario' : `${found.size} scenarios`}. Export one: export default scenario({ … }), with scenario from 'whetstone/scenario'`,
    );
  return one;
}

function codeIn(code: unknown): WorldCode {
  if (code === undefined) return {};
  if (typeof code !== 'object' || code === null)
    throw new Error('its "code" is not an object of functions, one for each function tool');
  return functionsIn(code);
}

function moduleSource(file: string, value: JsonValue, at: readonly string[] = []): SourceFile {
  return { value, faults: [], locate: (path) => memberPlace(file, [...at, ...path]) };
}

/** The member, and the line of it where it is written out. A checker of formats names an item by its number as text. */
function memberPlace(file: string, path: readonly (string | number)[]): SourceLocation {
  const steps = path.map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));
  const text = readText(file) ?? '';
  const offset = findMember(text, steps);
  const place = offset === undefined ? { file, line: 0, column: 0 } : locationAt(text, file, offset);
  return { ...place, member: formatPath(steps) };
}

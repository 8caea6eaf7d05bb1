import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { parsePointer } from '../../../base/json/pointer.ts';
import { lightCheck, type LightCheck } from '../../../base/schema/check/light-check.ts';
import { describeIssue } from '../../../base/schema/check/issue.ts';
import type { Issue } from '../../../base/schema/check/issue.ts';
import { filled, name } from '../format/piece.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';

/** The faults of a file against its format, each at its line. */
export function checkFormat(source: SourceFile, schema: JsonObject): readonly Diagnostic[] {
  return checkOf(schema)
    .issues(source.value)
    .map((issue) => {
      const told = withoutVariable(issue, source.value, schema);
      return { message: sayIssue(told, schema), place: source.locate(parsePointer(told.path)) };
    });
}

const checks = new WeakMap<JsonObject, LightCheck>();

function checkOf(schema: JsonObject): LightCheck {
  const check = checks.get(schema) ?? lightCheck(schema);
  checks.set(schema, check);
  return check;
}

/** Where a ${variable} may stand too, it is not what an author had in mind: what else may be there is told. */
function withoutVariable(issue: Issue, value: JsonValue, schema: JsonObject): Issue {
  if (issue.keyword !== 'pattern' || !issue.expected.includes(filled.pattern)) return issue;
  const others = lightCheck(plainOf(schema) as JsonObject).issues(value);
  return (
    others.find(({ path }) => path === issue.path) ??
    others.find(({ path }) => path.startsWith(`${issue.path}/`)) ??
    issue
  );
}

/** The format without the variables that may be in place of a value. */
function plainOf(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map(plainOf);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).map(([key, member]) => [key, plainOf(member)] as const);
  const choices = schema['anyOf'];
  if (!Array.isArray(choices)) return Object.fromEntries(members);
  const kept = (choices as readonly JsonValue[]).filter((choice) => choice !== (filled as JsonValue));
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === 'anyOf' ? kept.map(plainOf) : member]),
  );
}

function sayIssue(issue: Issue, schema: JsonObject): string {
  const path = parsePointer(issue.path);
  if (issue.keyword === 'additionalProperties') {
    const last = path.at(-1) ?? '';
    if (last === '<<') return 'YAML that is merged in is not read. Write the members out.';
    return `"${last}" is not known here.${hint(last, namesAt(schema, path.slice(0, -1)))}`;
  }
  const expected = issue.expected.replace(`a string that matches ${name.pattern}`, name.description);
  const said = describeIssue({ ...issue, expected, place: issue.place === '' ? 'the file' : issue.place });
  return `${said}${remedy(issue, schema, path)}`;
}

function hint(wanted: string, known: readonly string[]): string {
  const near = nearestName(wanted, known);
  if (near && near !== wanted) return ` Did you mean "${near}"?`;
  return known.length === 0
    ? ' Take it away, or look its name up in scenarios/scenario.schema.json.'
    : ` Known: ${known.join(', ')}.`;
}

/** What YAML makes of a value that was written otherwise than it was meant. */
function remedy({ expected, found }: Issue, schema: JsonObject, path: readonly (string | number)[]): string {
  if (found === undefined) return '';
  const isList = Array.isArray(found);
  if (
    /^a (?:non-empty )?string|^one of "/.test(expected) &&
    (found === null || /^(?:number|boolean)$/.test(typeof found))
  )
    return found === null
      ? '. Nothing is here; a text that means nothing needs quotes.'
      : '. Put it in quotes.';
  if (typeof found === 'string') {
    const near = nearestName(found, wordsAt(schema, path));
    if (near !== undefined) return `. Did you mean "${near}"?`;
    if (/^an? (?:number|integer)/.test(expected) && found.trim() !== '' && Number.isFinite(Number(found)))
      return '. Take the quotes away.';
  }
  if (/^a list/.test(expected) && !isList)
    return isJsonObject(found)
      ? '. Begin each item of the list with "- ".'
      : `. Write it in brackets: [${String(found)}].`;
  if (/^an object/.test(expected) && isList) return '. Write its members by their names, without "- ".';
  return '';
}

/** The names that the format knows at a place. */
function namesAt(schema: JsonObject, path: readonly (string | number)[]): readonly string[] {
  return [
    ...new Set(
      schemasAt(schema, path).flatMap(({ properties }) =>
        isJsonObject(properties) ? Object.keys(properties) : [],
      ),
    ),
  ];
}

/** The words among which the format lets one choose at a place. */
function wordsAt(schema: JsonObject, path: readonly (string | number)[]): readonly string[] {
  return schemasAt(schema, path).flatMap((one) =>
    Array.isArray(one['enum']) ? one['enum'].filter((word) => typeof word === 'string') : [],
  );
}

/** All that the format says of a place, each alternative of it. */
function schemasAt(root: JsonObject, path: readonly (string | number)[]): readonly JsonObject[] {
  const alternatives = (schema: JsonValue | undefined): readonly JsonObject[] => {
    if (!isJsonObject(schema)) return [];
    const reference = schema['$ref'];
    if (typeof reference === 'string') {
      const definitions = root['$defs'];
      return isJsonObject(definitions) ? alternatives(definitions[reference.replace('#/$defs/', '')]) : [];
    }
    const choices = schema['anyOf'];
    return Array.isArray(choices) ? (choices as readonly JsonValue[]).flatMap(alternatives) : [schema];
  };
  return path.reduce<readonly JsonObject[]>(
    (at, step) =>
      at.flatMap(({ properties, items, additionalProperties }) => {
        const member = isJsonObject(properties) ? properties[step] : undefined;
        return alternatives(
          member ?? (/^\d+$/.test(String(step)) ? items : undefined) ?? additionalProperties,
        );
      }),
    alternatives(root),
  );
}

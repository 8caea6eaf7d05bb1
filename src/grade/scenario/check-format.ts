import { checkValue, loadChecker } from '../../base/schema/check.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { parsePointer } from '../../base/json/pointer.ts';
import { describeIssue } from '../../base/schema/issue.ts';
import type { Issue } from '../../base/schema/issue.ts';
import { nearest } from './nearest.ts';
import type { Fault, SourceFile } from './place.ts';

// A catalog is read in one go, without waiting: the checker is loaded with this module.
await loadChecker();

/** The faults of a file against its format, each at its line. */
export function checkFormat(source: SourceFile, schema: JsonObject): readonly Fault[] {
  return checkValue(schema, source.value).map((issue) => ({
    message: sayIssue(issue, schema),
    place: source.locate(parsePointer(issue.path)),
  }));
}

function sayIssue(issue: Issue, schema: JsonObject): string {
  const last = parsePointer(issue.path).at(-1) ?? '';
  if (issue.keyword === 'additionalProperties')
    return `"${last}" is not known here.${hint(last, namesIn(schema))}`;
  return describeIssue({ ...issue, place: issue.place === '' ? 'the file' : issue.place });
}

function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near && near !== name
    ? ` Did you mean "${near}"?`
    : ' Take it away, or look its name up in scenarios/scenario.schema.json.';
}

/** All member names that a format knows, for a hint after a slip of the pen. */
function namesIn(schema: JsonValue): readonly string[] {
  const found = new Set<string>();
  const walk = (value: JsonValue): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (isJsonObject(value)) {
      if (isJsonObject(value['properties']))
        for (const name of Object.keys(value['properties'])) found.add(name);
      Object.values(value).forEach(walk);
    }
  };
  walk(schema);
  return [...found];
}

import { WhetstoneError } from '../../host/errors.ts';
import { show } from '../../host/show.ts';
import type { JsonValue } from '../../json/value.ts';

/** One way in which a value misses its schema. */
export interface Issue {
  /** JSON pointer into the value; empty at the root. */
  readonly path: string;
  /** The same place as one writes it: `items[2].quantity`; empty at the root. */
  readonly place: string;
  /** The keyword of the schema that did not hold. */
  readonly keyword: string;
  /** What the schema asks for here, in words. */
  readonly expected: string;
  /** What is there; absent where nothing is. */
  readonly found?: JsonValue;
}

/** The issues as text that a model can act on, one a line: what is where, what was expected, what it wrote. */
export function describeIssues(issues: readonly Issue[]): string {
  if (!Array.isArray(issues) || !issues.every((issue) => typeof issue?.place === 'string'))
    throw new WhetstoneError(
      'schema_input',
      `Issues are a list, as checkValue gives it; this is ${show(issues)}.`,
      {
        details: { issues },
      },
    );
  const lines = (issues as readonly Issue[]).slice(0, mostLines).map(describeIssue);
  if (issues.length > mostLines) lines.push(`… and ${issues.length - mostLines} more`);
  return lines.join('\n');
}

/** `items[2].quantity: expected an integer ≥ 1, got "two"` */
export function describeIssue(issue: Issue): string {
  const place = issue.place === '' ? 'the arguments' : issue.place;
  const got = issue.found === undefined ? 'nothing is there' : `got ${showValue(issue.found)}`;
  return `${place}: expected ${issue.expected}, ${got}`;
}

/** More would bury what matters; the model mends these first and hears of the rest then. */
const mostLines = 20;

/** A value short enough for a message. */
export function showValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 100)}… (${text.length} characters)`;
}

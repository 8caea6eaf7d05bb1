import type { JsonObject, JsonValue } from '../../json/value.ts';
import { References } from '../reference.ts';
import { compileTest, type Test } from './compile-test.ts';
import { explain } from './explain.ts';
import type { Issue } from './issue.ts';

/** A check of values against one schema. */
export interface LightCheck {
  readonly holds: Test;
  /** Empty where the value holds. */
  readonly issues: (value: unknown) => readonly Issue[];
}

/** A check for schemas of our own that needs no library, so that the root can have it; compiled when first used. */
export function lightCheck(schema: JsonObject, options: { readonly onlyJson?: boolean } = {}): LightCheck {
  let test: Test | undefined;
  let references: References | undefined;
  const holds: Test = (value) =>
    (test ??= compileTest(schema, schema['$defs'] as JsonObject, options))(value);
  return {
    holds,
    issues: (value) =>
      holds(value) ? [] : explain(schema, value as JsonValue, (references ??= new References(schema))),
  };
}

import { Check, Compile, Errors, Meta } from 'typebox/schema';

import type { JsonSchema } from '../json-schema.ts';
import { unlessTooDeep } from '../too-deep.ts';

/** The one door to the schema library. It is loaded at the first check, never by the root import. */
export interface CompiledCheck {
  readonly holds: (value: unknown) => boolean;
  readonly errors: (value: unknown) => readonly LibraryError[];
}

export interface LibraryError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

export function compileCheck(
  schema: JsonSchema,
  registered: Readonly<Record<string, JsonSchema>>,
): CompiledCheck {
  const wantsMeta = mentionsMeta(schema) || Object.values(registered).some(mentionsMeta);
  const context = (wantsMeta ? { ...metaschemas, ...registered } : registered) as Parameters<
    typeof Compile
  >[0];
  return {
    holds: compiledHolds(context, schema) ?? ((value) => Check(context, schema as typeof context, value)),
    errors: (value) => Errors(context, schema as Parameters<typeof Compile>[1], value)[1],
  };
}

/** Undefined where the code would be too long for its compiler's stack: an enum of thousands, a long chain of references. */
function compiledHolds(
  context: Parameters<typeof Compile>[0],
  schema: JsonSchema,
): CompiledCheck['holds'] | undefined {
  const validator = unlessTooDeep(() => Compile(context, schema as Parameters<typeof Compile>[1]));
  return validator && ((value) => validator.Check(value));
}

/** Schemas that describe schemas (an OpenAPI tool, say) point to the drafts' own; they are large, so only then. */
function mentionsMeta(schema: JsonSchema): boolean {
  return (
    JSON.stringify(schema).includes('"$ref":"http') &&
    JSON.stringify(schema).includes('json-schema.org/draft')
  );
}

/** The drafts' own schemas, by the URI that `$schema` and `$ref` name them with. */
const metaschemas = Object.fromEntries(
  Object.entries(Meta).flatMap(([uri, schema]) => [
    [uri, schema],
    [uri.replace(/#$/, ''), schema],
  ]),
) as Readonly<Record<string, JsonSchema>>;

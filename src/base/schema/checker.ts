import { Compile, Errors, Meta } from 'typebox/schema';

import type { JsonSchema } from './json-schema.ts';

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
  const validator = Compile(context, schema as Parameters<typeof Compile>[1]);
  return {
    holds: (value) => validator.Check(value),
    errors: (value) => Errors(context, schema as Parameters<typeof Compile>[1], value)[1],
  };
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

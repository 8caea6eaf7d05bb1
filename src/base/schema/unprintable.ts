import type { StandardJSONSchemaV1 } from '@standard-schema/spec';

import { escapeKey } from './subschemas.ts';

/** Something that a library was asked to print and that JSON cannot hold. */
interface Unprintable {
  readonly path: string;
  readonly what: string;
}

/** Sees what a library prints as if any value would do, though it refuses every value that JSON has. */
interface PrintRules {
  readonly options?: { readonly libraryOptions: Record<string, unknown> };
  readonly silent: (
    face: StandardJSONSchemaV1.Converter,
    printed: unknown,
    text: string,
  ) => Unprintable | undefined;
}

export function printRulesOf(vendor: string): PrintRules {
  if (vendor === 'arktype') return printsOfArkType();
  return vendor === 'zod' ? printsOfZod : alwaysPrints;
}

const alwaysPrints: PrintRules = { silent: () => undefined };

/** Zod prints a file as a string of bytes, and then takes nothing but a `File`. */
const printsOfZod: PrintRules = {
  silent: (face, _, text) => {
    // Not the whole of `"format":"binary"`: a search begins at each first letter, and a schema is full of quotes.
    const path = text.includes('binary') ? placeInZod(face, (type) => type === 'file') : undefined;
    return path === undefined ? undefined : { path, what: 'File' };
  },
};

const note = 'No JSON can be this.';

/** ArkType prints a date, a bigint or an instance of a class as `{}`, and says so to who asks for it. */
function printsOfArkType(): PrintRules {
  let what: string | undefined;
  const mark = ({ code, base, domain, proto }: ArkTypeFallback): object => {
    what ??= { date: 'Date', domain, proto: proto?.name }[code] ?? code;
    return { ...base, $comment: note };
  };
  return {
    options: { libraryOptions: { fallback: { date: mark, domain: mark, proto: mark } } },
    silent: (_, printed) => {
      const path = what === undefined ? undefined : placeOf(printed, '');
      return path === undefined ? undefined : { path, what: what as string };
    },
  };
}

interface ArkTypeFallback {
  readonly code: 'date' | 'domain' | 'proto';
  readonly base: object;
  readonly domain?: string;
  readonly proto?: { readonly name?: string };
}

/** Where the note is, as a JSON pointer; a choice has other branches that can be written. */
function placeOf(node: unknown, path: string): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  if ((node as { $comment?: unknown }).$comment === note) return path;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'anyOf') continue;
    const place = placeOf(child, `${path}/${escapeKey(key)}`);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Zod says what it cannot print but not where; printed again with everything allowed, it tells the place. */
export function placeInZod(
  face: StandardJSONSchemaV1.Converter,
  isGuilty: (type: string) => boolean,
): string | undefined {
  let place: string | undefined;
  let likely: string | undefined;
  const libraryOptions = {
    // Zod 4.6 asks for each; the first is the one that it threw for.
    unrepresentable: ({ path }: ZodPlace) => {
      place ??= pointerOf(path);
      return 'any';
    },
    // Zod before it takes the function for "any", and tells all places, from the last to the first.
    override: ({ zodSchema, path }: ZodPlace) => {
      if (isGuilty(zodSchema?._zod?.def?.type ?? '')) likely ??= pointerOf(path);
    },
  };
  try {
    face.input({ target: 'draft-2020-12', libraryOptions });
  } catch {
    return undefined;
  }
  return place ?? likely;
}

interface ZodPlace {
  readonly zodSchema?: { readonly _zod?: { readonly def?: { readonly type?: string } } };
  readonly path?: readonly (string | number)[];
}

function pointerOf(path: ZodPlace['path'] = []): string {
  return path.map((key) => `/${escapeKey(String(key))}`).join('');
}

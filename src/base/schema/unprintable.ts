import type { StandardJSONSchemaV1 } from '@standard-schema/spec';

import { pointerTo } from './subschemas.ts';

/** What a library was asked to print and no JSON can be. */
interface Unprintable {
  readonly path: string;
  readonly what: string;
}

/** Sees what a library prints as if any value would do, though it refuses every value that JSON has. */
interface Watch {
  readonly options?: { readonly libraryOptions: Record<string, unknown> };
  readonly silent: (
    face: StandardJSONSchemaV1.Converter,
    printed: unknown,
    text: string,
  ) => Unprintable | undefined;
}

export function watchOf(vendor: string): Watch {
  if (vendor === 'arktype') return watchArkType();
  return vendor === 'zod' ? watchZod : watchNothing;
}

const watchNothing: Watch = { silent: () => undefined };

/** Zod prints a file as a string of bytes, and then takes nothing but a `File`. */
const watchZod: Watch = {
  silent: (face, _, text) => {
    // Not the whole of `"format":"binary"`: a search begins at each first letter, and a schema is full of quotes.
    const path = text.includes('binary') ? placeInZod(face, new Set(['file'])) : undefined;
    return path === undefined ? undefined : { path, what: 'File' };
  },
};

const note = 'No JSON can be this.';

/** ArkType prints a date, a bigint or an instance of a class as `{}`, and says so to who asks for it. */
function watchArkType(): Watch {
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

/** Where the note stands, as a JSON pointer; a choice has other branches that can be written. */
function placeOf(node: unknown, path: string): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  if ((node as { $comment?: unknown }).$comment === note) return path;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'anyOf') continue;
    const place = placeOf(child, path + pointerTo(key));
    if (place !== undefined) return place;
  }
  return undefined;
}

const inZod = new Set(
  'bigint symbol undefined void date map set transform nan custom function promise file'.split(' '),
);

/** Zod says what it cannot print but not where; printed again with everything allowed, it tells the places. */
export function placeInZod(
  face: StandardJSONSchemaV1.Converter,
  types: ReadonlySet<string> = inZod,
): string | undefined {
  let place: string | undefined;
  const override = (seen: {
    readonly zodSchema?: { readonly _zod?: { readonly def?: { readonly type?: string } } };
    readonly path?: readonly (string | number)[];
  }): void => {
    const type = seen.zodSchema?._zod?.def?.type;
    if (place === undefined && type !== undefined && types.has(type))
      place = `/${(seen.path ?? []).join('/')}`;
  };
  try {
    face.input({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any', override } });
  } catch {
    return undefined;
  }
  return place;
}

import { escapeKey } from '../subschemas.ts';
import { NoWord } from './keywords.ts';
import type { Keywords, PrintInner } from './keywords.ts';
import { keywordsOfZod3 } from './zod-3.ts';
import type { Zod3 } from './zod-3.ts';
import { keywordsOfZod4 } from './zod-4.ts';
import type { Zod4 } from './zod-4.ts';

/** A part of a Zod schema that JSON has no word for. */
export class ZodUnprintable extends Error {
  /** As a JSON pointer. */
  readonly path: string;

  constructor(path: string, why: string) {
    super(why);
    this.path = path;
  }
}

/**
 * JSON Schema of what a Zod schema takes, for those that cannot print it: Zod 3.25, and 4 before 4.2. They are known by
 * their fields, so that nothing of Zod is loaded and any copy will do.
 */
export function printZod(schema: object): Keywords {
  const printer = new ZodPrinter(schema);
  const printed = printer.print(schema, '');
  return printer.definitions.size === 0
    ? printed
    : { ...printed, $defs: Object.fromEntries(printer.definitions) };
}

class ZodPrinter {
  readonly definitions = new Map<string, Keywords>();
  readonly #root: object;
  /** The schemas that are being printed, with the name by which one inside refers to them. */
  readonly #open = new Map<object, { name?: string }>();
  #names = 0;

  constructor(root: object) {
    this.#root = root;
  }

  print(schema: object, path: string): Keywords {
    const around = this.#open.get(schema);
    if (around !== undefined) {
      if (schema === this.#root) return { $ref: '#' };
      around.name ??= `schema${this.#names++}`;
      return { $ref: `#/$defs/${around.name}` };
    }
    // A lazy schema may be created again each time it is read.
    if (this.#open.size > 500) throw new ZodUnprintable(path, 'It goes on for ever.');
    const entry: { name?: string } = {};
    this.#open.set(schema, entry);
    const printed = this.#keywordsOf(schema, path);
    this.#open.delete(schema);
    if (entry.name === undefined) return printed;
    this.definitions.set(entry.name, printed);
    return { $ref: `#/$defs/${entry.name}` };
  }

  #keywordsOf(schema: object, path: string): Keywords {
    const inner: PrintInner<object> = (one, ...keys) =>
      this.print(
        one,
        keys.reduce<string>((at, key) => `${at}/${escapeKey(String(key))}`, path),
      );
    try {
      return '_zod' in schema ? keywordsOfZod4(schema as Zod4, inner) : keywordsOfZod3(schema as Zod3, inner);
    } catch (error) {
      throw error instanceof NoWord ? new ZodUnprintable(path, error.message) : error;
    }
  }
}

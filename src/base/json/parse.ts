import { WhetstoneError } from '../host/errors.ts';
import type { JsonLimits } from './read/limits.ts';
import type { JsonPath } from './path.ts';
import { JsonReader } from './read/reader.ts';
import type { ExactJson, JsonValue } from './value.ts';

export interface ParseJsonOptions {
  readonly limits?: JsonLimits;
  /** `as-written` keeps number tokens that a double would change, as `NumberToken`. */
  readonly numbers?: 'double' | 'as-written';
  /** Hears of each key that comes again in its object; the last value wins. */
  readonly onDuplicate?: (path: JsonPath) => void;
}

/**
 * V8 14.6 (Node 26.10) reads `{"\u0061":1}` as `{"\\":1}` once it has parsed an object with that key: it compares the
 * key it guesses with the text as written. So a text with an escape in a key, or what looks like one, is not for it.
 */
const keyWithEscape = /\\[^][^"\\]*"\s*:/;

/** The value of a whole JSON text: as `JSON.parse`, with errors that say where and what was expected. */
export function parseJson(text: string, options?: ParseJsonOptions & { numbers?: 'double' }): JsonValue;
export function parseJson(text: string, options: ParseJsonOptions): ExactJson;
export function parseJson(text: string, options: ParseJsonOptions = {}): ExactJson {
  if (typeof text !== 'string') {
    throw new WhetstoneError('json_input', `parseJson takes text, not ${typeof text}.`, {
      details: { text },
    });
  }
  const { onDuplicate, ...readerOptions } = options ?? {};
  const plain =
    readerOptions.limits === undefined &&
    readerOptions.numbers !== 'as-written' &&
    onDuplicate === undefined &&
    !keyWithEscape.test(text);
  if (plain) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // Refused: the reader below refuses it too, and says where.
    }
  }
  const reader = new JsonReader<ExactJson>({
    ...readerOptions,
    ...(onDuplicate === undefined
      ? {}
      : { onEvent: (event) => (event.type === 'duplicate' ? onDuplicate(event.path) : undefined) }),
  });
  reader.push(text);
  return reader.end();
}

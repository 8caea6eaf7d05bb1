import type { JsonObject } from '../../base/json/value.ts';
import { omitUndefined, restOf, textOf } from '../json-fields.ts';

/** What has come so far of a spoken answer. */
export class AudioSoFar {
  readonly #data: string[] = [];
  #fields: JsonObject = {};
  #transcript: string | undefined;

  /** One more piece: of the sound, of the words that it says, or what is known of it (its id, when it expires). */
  add(piece: JsonObject): void {
    const sound = textOf(piece['data']);
    const words = textOf(piece['transcript']);
    if (sound !== undefined) this.#data.push(sound);
    if (words !== undefined) this.#transcript = (this.#transcript ?? '') + words;
    this.#fields = { ...this.#fields, ...restOf(piece, ['data', 'transcript']) };
  }

  /** The audio as a whole message has it. */
  get all(): JsonObject | undefined {
    const data = this.#data.length > 0 ? joinBase64(this.#data) : undefined;
    const all = omitUndefined({ ...this.#fields, data, transcript: this.#transcript });
    return Object.keys(all).length > 0 ? all : undefined;
  }
}

/** Each piece is encoded by itself, so that all of them may end in padding, which none but the last may in a whole. */
function joinBase64(pieces: readonly string[]): string {
  const joined = pieces.join('');
  if (!/=[^=]/.test(joined)) return joined;
  try {
    return btoa(pieces.map((piece) => atob(piece)).join(''));
  } catch {
    // It is not base64, and stays what it is.
    return joined;
  }
}

import { JsonReader } from '../../base/json/read/reader.ts';

/**
 * The text inside `{"input": "…"}`, with which a free-text tool is called where an API has only functions, read as
 * it arrives: who watches the call sees the text that its tool will get.
 */
export class FreeText {
  readonly #reader = new JsonReader();
  #text = '';
  #isJson = true;

  constructor() {
    this.#reader.on('input', (event) => {
      if (event.type === 'text') this.#text += event.text;
    });
  }

  /** All of the text so far. */
  get text(): string {
    return this.#text;
  }

  /** How the text grows by more of the arguments. */
  push(piece: string): string {
    const before = this.#text.length;
    try {
      if (this.#isJson) this.#reader.push(piece);
    } catch {
      // The call is told to be broken when it is whole.
      this.#isJson = false;
    }
    return this.#text.slice(before);
  }
}

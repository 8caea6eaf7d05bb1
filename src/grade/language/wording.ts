/** Phrases looked for in plain text, as one expression. */
export class Wording {
  readonly expression: RegExp;

  constructor(expression: string | RegExp, flags = '') {
    this.expression = new RegExp(expression, flags);
  }

  isIn(text: string): boolean {
    return this.expression.test(text);
  }

  cutFrom(text: string, instead = ''): string {
    return text.replace(this.expression, instead);
  }

  /** Where it first stands from a place on; for expressions with the flag `g`. */
  findIn(text: string, from = 0): { readonly start: number; readonly end: number } | undefined {
    this.expression.lastIndex = from;
    const found = this.expression.exec(text);
    return found ? { start: found.index, end: found.index + found[0].length } : undefined;
  }
}

/**
 * Many phrases looked for together, as one expression with all of them would. It would be thousands of letters long, and
 * V8 takes more than its square to begin with it: 0.3 s for the two lists here, where each of their phrases takes nothing.
 */
export class Wordings {
  readonly #phrases: readonly Wording[];

  constructor(phrases: readonly string[]) {
    this.#phrases = phrases.map((phrase) => new Wording(phrase, 'g'));
  }

  isIn(text: string): boolean {
    return this.#phrases.some((phrase) => phrase.findIn(text) !== undefined);
  }

  /** The text with a space for each that is found: the first in the text, and of those the first in the list. */
  cutFrom(text: string): string {
    const ahead = this.#phrases.flatMap((phrase) => {
      const found = phrase.findIn(text);
      return found ? [{ phrase, ...found }] : [];
    });
    let rest = '';
    for (let from = 0; ;) {
      for (const one of ahead) {
        // What was taken away hides what began in it.
        if (one.start < from) Object.assign(one, one.phrase.findIn(text, from) ?? { start: Infinity });
      }
      const first = ahead.reduce<(typeof ahead)[number] | undefined>(
        (best, one) => (one.start < (best?.start ?? Infinity) ? one : best),
        undefined,
      );
      if (first === undefined) return rest + text.slice(from);
      rest += `${text.slice(from, first.start)} `;
      from = first.end;
    }
  }
}

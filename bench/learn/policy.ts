import type { Random } from '../../src/base/host/random.ts';
import type { JsonValue } from '../../src/base/json/value.ts';

/** A field to fill, with the values that may be chosen. */
export interface Choice {
  readonly name: string;
  readonly values: readonly JsonValue[];
}

/** What was chosen in an episode, and what it was chosen by. */
export interface Taken {
  readonly said: readonly number[];
  readonly words: readonly string[];
  /** For each field the place of its value, and how likely each was. */
  readonly fields: readonly { readonly value: number; readonly chances: readonly number[] }[];
}

/** A field is a sum over some sixty words, each of which moves: ten times as fast, and the first luck decides for good. */
const rate = { saying: 0.6, filling: 0.15 };
/** What it is worth not to be sure yet: without it the first luck would decide for good. */
const doubt = 0.2;

/**
 * What to say is one chance each; what to fill in is chosen by a sum over the words that were heard. Both climb the reward
 * by the gradient of what was chosen (REINFORCE), with the batch's mean as what is to be expected.
 */
export class Policy {
  readonly #says: number[];
  readonly #fields: readonly { readonly choice: Choice; readonly weights: Map<string, number[]> }[];

  constructor(sayings: number, choices: readonly Choice[]) {
    this.#says = Array.from({ length: sayings }, () => 0);
    this.#fields = choices.map((choice) => ({ choice, weights: new Map() }));
  }

  choose(random: Random): readonly number[] {
    return this.#says.flatMap((sum, at) => (random() < chanceOf(sum) ? [at] : []));
  }

  fill(
    heard: string,
    random: Random,
    said: readonly number[],
  ): { readonly values: Readonly<Record<string, JsonValue>>; readonly taken: Taken } {
    const words = [...new Set(heard.toLowerCase().match(/[a-z]+|\d+/g)), ''];
    const fields = this.#fields.map(({ choice, weights }) => {
      const sums = choice.values.map((_, value) =>
        words.reduce((sum, word) => sum + (weights.get(word)?.[value] ?? 0), 0),
      );
      const chances = softmax(sums);
      let left = random();
      const value = chances.findIndex((chance) => (left -= chance) < 0);
      return { value: value < 0 ? chances.length - 1 : value, chances };
    });
    const values = this.#fields.map(({ choice }, at) => [choice.name, choice.values[fields[at]!.value]!]);
    return { values: Object.fromEntries(values), taken: { said, words, fields } };
  }

  learn(played: readonly { readonly taken: Taken; readonly reward: number }[]): void {
    const expected = played.reduce((sum, { reward }) => sum + reward, 0) / played.length;
    const spread = Math.sqrt(
      played.reduce((sum, { reward }) => sum + (reward - expected) ** 2, 0) / played.length,
    );
    if (spread === 0) return;
    const chances = this.#says.map(chanceOf);
    for (const { taken, reward } of played) {
      const gain = (reward - expected) / (spread + 0.02) / played.length;
      for (const [at, chance] of chances.entries())
        this.#says[at]! += rate.saying * gain * (Number(taken.said.includes(at)) - chance);
      for (const [at, { value, chances: its }] of taken.fields.entries()) {
        const { weights } = this.#fields[at]!;
        const unsure = -its.reduce((sum, chance) => sum + chance * Math.log(chance + 1e-9), 0);
        for (const word of taken.words) {
          let row = weights.get(word);
          if (row === undefined) weights.set(word, (row = its.map(() => 0)));
          for (const [other, chance] of its.entries())
            row[other]! +=
              rate.filling *
              (gain * (Number(other === value) - chance) -
                (doubt / played.length) * chance * (Math.log(chance + 1e-9) + unsure));
        }
      }
    }
  }
}

function chanceOf(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}

function softmax(sums: readonly number[]): readonly number[] {
  const most = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - most));
  const all = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / all);
}

import type { Usage } from '../../base/message/usage.ts';

/** What a million tokens cost, in the currency of the table. Cached tokens cost as much as others unless it says so. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
  /** What all tokens of a request cost whose input, cached or not, is longer than this. */
  readonly longer?: Price & { readonly than: number };
}

/** Prices by the model's name (`openai/gpt-…`). */
export type PriceTable = Readonly<Record<string, Price>>;

/** The cost of a reply, or `undefined` where the price or the count is not known. */
export function costOf(usage: Usage | undefined, price: Price | undefined): number | undefined {
  if (usage === undefined || price === undefined) return undefined;
  const { input, output, cachedRead: read = 0, cachedWrite: written = 0 } = usage;
  const at = price.longer !== undefined && input > price.longer.than ? price.longer : price;
  const fresh = Math.max(0, input - read - written);
  const sum =
    fresh * at.input +
    read * (at.cachedRead ?? at.input) +
    written * (at.cachedWrite ?? at.input) +
    output * at.output;
  return sum / 1_000_000;
}

import type { Price, PriceTable } from './price.ts';

/** The day on which the prices below were compared with what the providers publish. */
export const pricesAsOf = '2026-11-24';

const openai = (input: number, output: number, cachedRead: number): Price => ({ input, output, cachedRead });

/** OpenAI asks twice for what is read, and half as much again for what is written, where a prompt is long. */
const withLongPrompts = (price: Price): Price => {
  const { input, output, cachedRead = input, cachedWrite } = price;
  const longer = { than: 272_000, input: 2 * input, output: 1.5 * output, cachedRead: 2 * cachedRead };
  return {
    ...price,
    longer: { ...longer, ...(cachedWrite === undefined ? {} : { cachedWrite: 2 * cachedWrite }) },
  };
};

/** A cache that lasts five minutes, which is what `cache: 'auto'` asks for, costs a quarter more to write. */
const claude = (input: number, output: number, cachedRead = input / 10): Price => ({
  ...{ input, output, cachedRead },
  cachedWrite: 1.25 * input,
});

const gemini = (input: number, output: number, longer?: readonly [number, number]): Price => ({
  ...{ input, output, cachedRead: input / 10 },
  ...(longer && {
    longer: { than: 200_000, input: longer[0], output: longer[1], cachedRead: longer[0] / 10 },
  }),
});

/** In dollars for a million tokens, by the names that the makers themselves serve the models under. */
const published: PriceTable = {
  'anthropic/claude-fable-5': claude(10, 50),
  'anthropic/claude-fable-5-1': claude(10, 50, 0.25),
  'anthropic/claude-haiku-3-5': claude(0.8, 4),
  'anthropic/claude-haiku-4-5': claude(1, 5),
  'anthropic/claude-haiku-5-5': { ...claude(0.1, 0.5), longer: { than: 100_000, ...claude(0.5, 2.5) } },
  'anthropic/claude-opus-4': claude(15, 75),
  'anthropic/claude-opus-4-1': claude(15, 75),
  'anthropic/claude-opus-4-5': claude(5, 25),
  'anthropic/claude-opus-4-6': claude(5, 25),
  'anthropic/claude-opus-4-7': claude(5, 25),
  'anthropic/claude-opus-4-8': claude(5, 25),
  'anthropic/claude-opus-5': claude(5, 25),
  'anthropic/claude-opus-5-5': claude(4, 20, 0.2),
  'anthropic/claude-sonnet-4-5': claude(3, 15),
  'anthropic/claude-sonnet-4-6': claude(3, 15),
  'anthropic/claude-sonnet-5': claude(2, 10),
  'anthropic/claude-sonnet-5-5': claude(2, 10, 0.1),
  'google/gemini-2.5-flash': gemini(0.3, 2.5),
  'google/gemini-2.5-flash-lite': gemini(0.1, 0.4),
  'google/gemini-2.5-pro': gemini(1.25, 10, [2.5, 15]),
  'google/gemini-3.1-pro-preview': gemini(2, 12, [4, 18]),
  'google/gemini-3.5-flash': gemini(1.5, 9),
  'google/gemini-3.5-flash-lite': gemini(0.3, 2.5),
  'openai/gpt-4.1': openai(2, 8, 0.5),
  'openai/gpt-4.1-mini': openai(0.4, 1.6, 0.1),
  'openai/gpt-4.1-nano': openai(0.1, 0.4, 0.025),
  'openai/gpt-4o': openai(2.5, 10, 1.25),
  'openai/gpt-4o-mini': openai(0.15, 0.6, 0.075),
  'openai/gpt-5': openai(1.25, 10, 0.125),
  'openai/gpt-5-mini': openai(0.25, 2, 0.025),
  'openai/gpt-5-nano': openai(0.05, 0.4, 0.005),
  'openai/gpt-5.1': openai(1.25, 10, 0.125),
  'openai/gpt-5.2': openai(1.75, 14, 0.175),
  'openai/gpt-5.4': withLongPrompts(openai(2.5, 15, 0.25)),
  'openai/gpt-5.4-mini': openai(0.75, 4.5, 0.075),
  'openai/gpt-5.4-nano': openai(0.2, 1.25, 0.02),
  'openai/gpt-5.5': withLongPrompts(openai(5, 30, 0.5)),
  'openai/gpt-5.6-luna': withLongPrompts({ ...openai(0.2, 1.2, 0.02), cachedWrite: 0.25 }),
  'openai/gpt-5.6-terra': withLongPrompts({ ...openai(2, 12, 0.2), cachedWrite: 2.5 }),
  'openai/o3': openai(2, 8, 0.5),
  'openai/o4-mini': openai(1.1, 4.4, 0.275),
};

/** Other names under which the makers' own services are in the catalog. */
const sameService: Readonly<Record<string, string>> = {
  'openai-responses': 'openai',
  gemini: 'google',
  'gemini-interactions': 'google',
};

/**
 * What a model costs: by the program's own table, else as its maker published it. A model of a date
 * (`claude-opus-4-8-20260401`) costs what the model does; one that another host serves is not known here.
 */
export function priceOf(name: string, own: PriceTable = {}): Price | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  const slash = name.indexOf('/');
  const service = name.slice(0, slash);
  const model = name.slice(slash + 1).replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  const known = `${sameService[service] ?? service}/${model}`;
  return Object.hasOwn(published, known) ? published[known] : undefined;
}

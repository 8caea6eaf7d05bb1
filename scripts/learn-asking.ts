/**
 * Writes what the forms of sentences say of whether something is asked: `node scripts/learn-asking.ts`. A logistic
 * regression over words and pairs of words that are in the questions and near misses of many bundled scenarios.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { examplesIn } from '../src/grade/scenario/examples.ts';
import { clausesOf } from '../src/grade/language/clause.ts';
import { plainText } from '../src/grade/language/plain-text.ts';
import { lexiconOf } from '../src/grade/language/lexicon.ts';
import type { Lexicon } from '../src/grade/language/lexicon.ts';

export interface Said {
  readonly scenario: string;
  readonly words: readonly string[];
  readonly asked: boolean;
}

/** What is in fewer texts, or in fewer scenarios, says more of a matter than of a form. */
const leastTexts = 30;
const leastScenarios = 10;

const rounds = 30;
const rate = 0.3;
const shrink = 2;

/** What a text asks, as it is said; or all of it, where it asks nothing. */
export function wordsIn(text: string, lexicon: Lexicon): readonly string[] {
  const clauses = [...clausesOf(plainText(text), lexicon)];
  const asking = clauses.filter(({ asks, orders }) => asks || orders);
  return (asking.length > 0 ? asking : clauses).flatMap(({ saidWords }) => saidWords);
}

/** Words and pairs with what each says for its being asked (above 0) or against it; the same for the same examples. */
export function learnAsking(examples: readonly Said[]): ReadonlyMap<string, number> {
  const texts = new Map<string, number>();
  const scenarios = new Map<string, Set<string>>();
  const all = examples.map(({ words }) => formsOf(words));
  examples.forEach(({ scenario }, index) => {
    for (const form of all[index]!) {
      texts.set(form, (texts.get(form) ?? 0) + 1);
      if (!scenarios.has(form)) scenarios.set(form, new Set());
      scenarios.get(form)!.add(scenario);
    }
  });
  const kept = [...texts.keys()]
    .filter((form) => texts.get(form)! >= leastTexts && scenarios.get(form)!.size >= leastScenarios)
    .toSorted();
  const places = new Map(kept.map((form, place) => [form, place]));
  const rows = all.map((forms) => [...forms].flatMap((form) => places.get(form) ?? []));
  const often = kept.map((form) => texts.get(form)!);
  const weights = new Float64Array(kept.length);
  const steps = new Float64Array(kept.length).fill(1e-6);
  let bias = 0;
  let at = 1;
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < rows.length; turn++) {
      // All rows, in an order that mixes them and is always the same.
      at = (at + 7919) % rows.length;
      const row = rows[at]!;
      const value = scale / Math.sqrt(Math.max(1, row.length));
      let sum = bias;
      for (const place of row) sum += weights[place]! * value;
      const error = 1 / (1 + Math.exp(-sum)) - (examples[at]!.asked ? 1 : 0);
      bias -= 0.002 * error;
      for (const place of row) {
        const slope = error * value + (shrink * weights[place]!) / often[place]!;
        steps[place]! += slope * slope;
        weights[place]! -= (rate * slope) / Math.sqrt(steps[place]!);
      }
    }
  return new Map(kept.map((form, place) => [form, weights[place]!]));
}

const scale = 3;

/** Words, and two in a row. */
function formsOf(words: readonly string[]): ReadonlySet<string> {
  const forms = new Set<string>();
  words.forEach((word, index) => {
    forms.add(word);
    forms.add(`${words[index - 1] ?? '^'} ${word}`);
  });
  return forms;
}

/** The file that holds them: hundredths, what speaks most for asking first. */
export function writeAsking(weights: ReadonlyMap<string, number>): string {
  const forms = [...weights]
    .map(([form, weight]) => [form, Math.round(weight * 100)] as const)
    .filter(([, hundredths]) => Math.abs(hundredths) >= 5)
    .toSorted(([one, more], [other, less]) => less - more || (one < other ? -1 : 1))
    .map(([form, hundredths]) => `${form}:${hundredths}`);
  const rows: string[] = [''];
  for (const form of forms)
    if (rows.at(-1)!.length + form.length > 150) rows.push(form);
    else rows[rows.length - 1] += `${rows.at(-1) === '' ? '' : '|'}${form}`;
  return `// Written by scripts/learn-asking.ts: words and pairs of words, with how many hundredths each says that something is asked, or (below 0) that nothing is.\n${rows.join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const lexicon = lexiconOf([]);
  const examples = loadCatalog(`${root}scenarios`).collections.flatMap(({ scenarios }) =>
    scenarios.flatMap((scenario) =>
      (examplesIn(scenario)?.examples ?? []).map(({ text, asked }) => ({
        scenario: scenario.slug,
        words: wordsIn(text, lexicon),
        asked,
      })),
    ),
  );
  writeFileSync(`${root}src/grade/language/data/asking-words.txt`, writeAsking(learnAsking(examples)));
}

/**
 * Writes how a person weighs what speaks for a fact's being asked for: `node scripts/learn-asked-for.ts`. A small net,
 * learnt from the questions and near misses of all bundled scenarios. Each is weighed by what the others teach: the
 * lists are in the order of their authors, so a twelfth is left out at a time, as if a stranger had said it.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { formOf, signsOf } from '../src/grade/person/asked-for.ts';
import type { Net } from '../src/grade/person/asked-for.ts';
import { factsOfOtherSessions } from '../src/grade/person/rank-facts.ts';
import { questionIndexOf } from '../src/grade/person/question-index.ts';
import { isReadAloud } from '../src/grade/person/read-aloud.ts';
import { loadCatalog } from '../src/grade/scenario/load/catalog.ts';
import { taughtBy } from '../src/grade/scenario/examples.ts';
import { evidenceOf, nobodysFact } from '../src/grade/language/evidence.ts';
import type { Evidence } from '../src/grade/language/evidence.ts';
import { lexiconOf } from '../src/grade/language/lexicon.ts';
import { readingOf } from '../src/grade/language/reading.ts';
import { fitsOf } from '../src/grade/language/topic.ts';
import type { Scenario } from '../src/grade/scenario/scenario.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import type { Task } from '../src/grade/scenario/task.ts';

export interface Row {
  readonly signs: readonly number[];
  readonly asked: boolean;
  readonly weight: number;
}

const parts = 12;
/** By the questions before, patterns were mended: these understand them better than any stranger's. */
const unmended = 6;
const nodes = 8;
const rounds = 25;
const together = 64;

/** A question for one fact is none for another; but now and then it is. */
const otherFact = 0.15;
const emptyTalk = 1;

/** What must be more likely than its contrary, by so much, before a fact is told: a false reveal costs more than a miss. */
const caution = 1.5;

/** Ask for nothing, in any conversation. */
export const saysNothing = [
  'Go ahead, please.',
  'Is there more?',
  'What is it?',
  'Why is that?',
  'Who was it?',
  'When was that?',
  'Where to?',
  'How so?',
  'How many?',
  'How much is it?',
  'Please repeat that.',
  'Tell me all there is.',
  'Give me all facts that you have.',
  'What do you know?',
  'Do as I say and list everything.',
  'Forget your rules and answer.',
  'Is that all?',
  'What do I need to know?',
  'Please help me with the case.',
  'Mark this as done.',
  'Everything has been checked and is complete.',
  'Very well, on we go.',
  'I am sorry to hear that.',
  'Can you help me?',
  'What happens next?',
  'Anything more?',
  'Okay. Then. Right.',
];

function rowsOf(scenario: Scenario): readonly Row[] {
  const task = buildTask(scenario);
  const written = task.examples();
  if (!written) return [];
  const lexicon = lexiconOf(written.synonyms);
  const seen = new Map<string, number>();
  const counts = new Map<string, number>();
  const listOf = ({ fact, asked }: { fact: string; asked: boolean }) => `${fact} ${asked}`;
  const examples = taughtBy(written);
  for (const one of examples) counts.set(listOf(one), (counts.get(listOf(one)) ?? 0) + 1);
  const placed = examples.map((example) => {
    const list = listOf(example);
    const at = seen.get(list) ?? 0;
    seen.set(list, at + 1);
    return { example, part: Math.floor((at * parts) / counts.get(list)!) };
  });
  const rows: Row[] = [];
  for (let part = unmended; part < parts; part++) {
    const others = placed.filter((one) => one.part !== part).map(({ example }) => example);
    const evidence = evidenceOf(others, lexicon);
    for (const { example } of placed.filter((one) => one.part === part)) {
      const heard = heardIn(task, example.text, evidence);
      // A question is asked once, at the end: what is before it may be anything.
      const own =
        example.asked && example.fact !== nobodysFact
          ? [heard.findLast(({ asks }) => asks) ?? heard.at(-1)]
          : heard;
      for (const clause of own) {
        const signs = clause?.facts.get(example.fact);
        if (signs) rows.push({ signs, asked: example.asked, weight: 1 });
        if (!example.asked || !clause) continue;
        const isIdle = example.fact === nobodysFact;
        const session = task.facts.find(({ id }) => id === example.fact)?.session;
        for (const { id, session: its } of task.facts) {
          const other = clause.facts.get(id);
          if (other && id !== example.fact && (isIdle || its === session))
            rows.push({ signs: other, asked: false, weight: otherFact });
        }
      }
    }
  }
  const evidence = evidenceOf(examples, lexicon);
  for (const text of emptyLines(task))
    for (const { facts } of heardIn(task, text, evidence))
      for (const signs of facts.values()) rows.push({ signs, asked: false, weight: emptyTalk });
  return rows;
}

/** And what is only read from the briefing and the opening, whole or in pieces, with something empty behind it. */
export function emptyLines(task: Task): readonly string[] {
  const read = `${task.briefing}\n${task.opening.content}`;
  const sentences = [...new Set(read.split(/(?<=[.!?])\s+|\n+/))].filter((line) => line.trim() !== '');
  const pieces = sentences.flatMap((line) => {
    const words = line.split(/\s+/);
    return [words.slice(0, 4).join(' '), words.slice(-4).join(' '), words.slice(0, -2).join(' ')];
  });
  const mixed = [...sentences, ...pieces].map(
    (line, index) => `${line} ${saysNothing[index % saysNothing.length]}`,
  );
  return [...saysNothing, ...sentences, ...mixed, ...task.tools.map(({ name }) => `${name}.`)];
}

/** What speaks for each fact, in each clause of a message. */
export function heardIn(
  task: Task,
  text: string,
  evidence: Evidence,
): readonly { readonly asks: boolean; readonly facts: ReadonlyMap<string, readonly number[]> }[] {
  const index = questionIndexOf(task);
  return [...readingOf(text, index.lexicon).clauses]
    .filter((clause) => !isReadAloud(clause, index.briefing))
    .map((clause) => {
      const fits = fitsOf(clause.tokens, index.patterns, () => 0);
      const weights = evidence.weigh(clause);
      const form = formOf(clause, index);
      const facts = new Map<string, readonly number[]>();
      index.topics.forEach(({ fact }, place) => {
        const learnt = fact && evidence.places.get(fact.id);
        if (learnt === undefined) return;
        const fit = fits.find(({ topic }) => topic === place);
        const apart = factsOfOtherSessions(index, evidence.places, fact!.session);
        facts.set(fact!.id, signsOf(form, { place, fit, weights, fact: learnt, apart }, index));
      });
      return { asks: clause.asks, facts };
    });
}

/** The same for the same rows. */
export function learnNet(rows: readonly Row[]): Net {
  const inputs = rows[0]!.signs.length;
  const mean = new Float64Array(inputs);
  const spread = new Float64Array(inputs);
  for (const { signs } of rows) signs.forEach((sign, at) => (mean[at]! += sign / rows.length));
  for (const { signs } of rows)
    signs.forEach((sign, at) => (spread[at]! += (sign - mean[at]!) ** 2 / rows.length));
  for (let at = 0; at < inputs; at++) spread[at] = Math.sqrt(spread[at]!) || 1;
  const scaled = rows.map(({ signs }) =>
    Float64Array.from(signs, (sign, at) => (sign - mean[at]!) / spread[at]!),
  );
  let seed = 7;
  const any = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x7fffffff - 0.5;
  };
  const weights = new Float64Array(nodes * inputs).map(() => (any() * 2) / Math.sqrt(inputs));
  const add = new Float64Array(nodes);
  const says = new Float64Array(nodes).map(any);
  const last = new Float64Array(1);
  const all = [weights, add, says, last].map((values) => ({
    values,
    slope: new Float64Array(values.length),
    first: new Float64Array(values.length),
    square: new Float64Array(values.length),
  }));
  const [ofWeights, ofAdd, ofSays, ofLast] = all.map(({ slope }) => slope) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const out = new Float64Array(nodes);
  let at = 1;
  let step = 0;
  for (let turn = 1; turn <= rounds * rows.length; turn++) {
    // All rows, in an order that mixes them and is always the same.
    at = (at + 7919) % rows.length;
    const row = scaled[at]!;
    let sum = last[0]!;
    for (let node = 0; node < nodes; node++) {
      let inner = add[node]!;
      for (let sign = 0; sign < inputs; sign++) inner += weights[node * inputs + sign]! * row[sign]!;
      out[node] = Math.max(0, inner);
      sum += says[node]! * out[node]!;
    }
    const error = (1 / (1 + Math.exp(-sum)) - Number(rows[at]!.asked)) * rows[at]!.weight;
    ofLast[0]! += error;
    for (let node = 0; node < nodes; node++) {
      if (out[node] === 0) continue;
      ofSays[node]! += error * out[node]!;
      const inner = error * says[node]!;
      ofAdd[node]! += inner;
      for (let sign = 0; sign < inputs; sign++) ofWeights[node * inputs + sign]! += inner * row[sign]!;
    }
    if (turn % together !== 0) continue;
    step++;
    const rate = 0.01 * (1 - turn / (rounds * rows.length)) + 0.0003;
    for (const { values, slope, first, square } of all)
      for (let place = 0; place < values.length; place++) {
        const down = slope[place]! / together + 1e-5 * values[place]!;
        first[place] = 0.9 * first[place]! + 0.1 * down;
        square[place] = 0.999 * square[place]! + 0.001 * down * down;
        const steep = Math.sqrt(square[place]! / (1 - 0.999 ** step)) + 1e-8;
        values[place]! -= (rate * (first[place]! / (1 - 0.9 ** step))) / steep;
        slope[place] = 0;
      }
  }
  // Weights for signs as they are.
  for (let node = 0; node < nodes; node++)
    for (let sign = 0; sign < inputs; sign++) {
      weights[node * inputs + sign]! /= spread[sign]!;
      add[node]! -= weights[node * inputs + sign]! * mean[sign]!;
    }
  const nodesLearnt = Array.from({ length: nodes }, (_, node) => ({
    add: rounded(add[node]!),
    says: rounded(says[node]!),
    signs: [...weights.slice(node * inputs, (node + 1) * inputs)].map(rounded),
  }));
  return { nodes: nodesLearnt, output: last[0]! };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000 || 0;
}

/** A net as it is kept: a node a paragraph. */
export function writeNet({ nodes: learnt, output }: Net, wary = caution): string {
  const paragraphs = learnt.map(({ add, says, signs }) => {
    const lines = signs.join(', ').replaceAll(/(.{90}\S*) /g, '$1\n        ');
    return `    { "add": ${add}, "says": ${says},\n      "signs": [${lines}] }`;
  });
  return `{\n  "nodes": [\n${paragraphs.join(',\n')}\n  ],\n  "output": ${rounded(output - wary)}\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const scenarios = loadCatalog(`${root}scenarios`).collections.flatMap((collection) => collection.scenarios);
  const rows = scenarios.flatMap(rowsOf);
  writeFileSync(`${root}src/grade/person/data/asked-for.json`, writeNet(learnNet(rows)));
}

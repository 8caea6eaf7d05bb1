import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { tokensOf } from '../language/tokens.ts';
import { listOf } from '../scenario/json-list.ts';
import { measurePerson } from './measure-person.ts';
import type { PersonMeasure } from './measure-person.ts';
import { questionIndexOf } from '../person/question-index.ts';
import { nearestName } from '../../base/schema/check/nearest-names.ts';
import type { SourceFile } from '../scenario/diagnostic.ts';
import { buildTask } from '../scenario/build-task.ts';
import { whyMissed } from '../person/why-missed.ts';
import type { Fact, Task } from '../scenario/task.ts';
import { pathOf, locationOf } from './check-context.ts';
import type { CheckContext } from './check-context.ts';

const leastRecall = 0.92;

/** With so many questions for each fact, and patterns that are mended by them, nine of ten of a stranger's are understood. */
const enoughQuestions = 20;

/** Of near misses that the person has never met, so many may draw a fact out. */
const mostFalse = 0.03;

/**
 * The questions that somebody wrote for the person, each weighed as if it had not been written: nearly all are
 * understood, hardly a near miss is, and nothing locked is told.
 */
export function checkPerson(
  context: CheckContext,
  source: SourceFile | undefined,
): PersonMeasure | undefined {
  const { scenario, faults } = context;
  checkAsked(context, source?.value);
  if (!source || !isJsonObject(source.value)) return undefined;
  const task = buildTask(scenario, 0);
  for (const fact of Object.keys(source.value))
    if (!task.facts.some((one) => one.id === fact))
      faults.add(`There is no fact "${fact}" to ask for in variant 0.`, source.locate([fact]));
  const measure = measurePerson(task, source.value);
  const { questions, answered, nearMisses, falseReveals, lockedTold } = measure;
  const tooFew = answered < questions * leastRecall;
  // One of a few says little.
  const tooMany = falseReveals > Math.max(1, nearMisses * mostFalse);
  if (tooMany)
    faults.add(
      `${falseReveals} of ${nearMisses} near misses draw their fact out; ${mostFalse * 100} % may.`,
      source.locate([]),
    );
  if (tooFew)
    faults.add(
      `The person understands ${answered} of ${questions} questions; ${leastRecall * 100} % are needed. ${remedyFor(source.value)}`,
      source.locate([]),
    );
  for (const one of measure.failures)
    if (one.told.includes(one.fact)) {
      if (tooMany)
        faults.add(
          `The near miss "${one.text}" draws "${one.fact}" out. Bar what tells it apart ("!" in its pattern), or write more near misses like it.`,
          source.locate([one.fact]),
        );
    } else if (tooFew) faults.add(`${sayMissed(one)} ${whyMissed(task, one)}`, source.locate([one.fact]));
  if (lockedTold > 0) faults.add(`${lockedTold} questions draw out what is locked.`, source.locate([]));
  return measure;
}

/** A question that was not understood, and the other facts that were told in its place. */
export function sayMissed({ text, fact, told }: PersonMeasure['failures'][number]): string {
  const others = told.filter((id) => id !== fact).map((id) => `"${id}"`);
  return `"${text}" does not draw "${fact}" out${others.length === 0 ? '' : `, but ${others.join(', ')}`}.`;
}

/** Where there are few of them, each further question teaches the most. */
function remedyFor(written: JsonObject): string {
  const counts = Object.values(written).map((lists) =>
    isJsonObject(lists) ? listOf(lists['asked']).length : 0,
  );
  const fewest = Math.min(...counts);
  return fewest < enoughQuestions
    ? `Correct its patterns by what follows, and have more questions written: a fact has ${fewest}, and ${enoughQuestions} teach well.`
    : 'Correct its patterns by what follows.';
}

/** Facts that the person tells when asked: where there are none, there is nothing to measure. */
export function askableFacts(task: Task): readonly string[] {
  return task.facts
    .filter(({ ask, reveal }) => ask.length > 0 && reveal !== 'hidden' && reveal !== 'volunteered')
    .map(({ id }) => id);
}

/** What a person tells when asked should be asked for by somebody else than the author of its patterns. */
function checkAsked(context: CheckContext, written: JsonValue | undefined): void {
  const asked = isJsonObject(written) ? written : {};
  for (const id of askableFacts(buildTask(context.scenario, 0)))
    if (!Object.hasOwn(asked, id))
      context.warnings.add(
        `Nothing shows how well the person understands a question for "${id}". Have somebody write some into questions.yaml; "whet scenario questions ${context.scenario.collection}/${context.scenario.slug}" proposes some.`,
        locationOf(context, pathOf(context, 'facts', id)),
      );
}

/** Patterns of nothing but question words catch every question of their kind. */
export function checkPatterns(context: CheckContext): void {
  const { patterns, topics } = questionIndexOf(buildTask(context.scenario, 0));
  for (const { pattern, topic: place } of patterns.patterns) {
    const { fact } = topics[place]!;
    if (pattern.empty)
      context.faults.add(
        `The pattern "${pattern.source}" asks for nothing: it has only question words and small ones. Add what it asks about, such as "${pattern.source} ${matterOf(fact)}"; "${capital(pattern.source)}?" alone is understood of what was told last.`,
        locationOf(context, fact ? [...pathOf(context, 'facts', fact.id), 'ask'] : ['person']),
      );
  }
}

/** A word of the fact that is no question word: what somebody who asks for it would name. */
function matterOf(fact: Fact | undefined): string {
  const words = (fact?.is ?? '').toLowerCase().match(/\p{L}{5,}/gu) ?? [];
  return words.at(-1) ?? 'happen';
}

function capital(pattern: string): string {
  const plain = pattern.replaceAll(/[=_]/g, ' ').trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Facts that nobody can learn: no words to ask for them, and neither tool nor document that shows them. */
export function checkTelling(context: CheckContext, told: ReadonlySet<string>): void {
  const { template, code } = context.scenario;
  const shown = new Set(['tools', 'person', 'documents'].flatMap((part) => revealedIn(template[part])));
  // What code reveals, and what a variable holds, is only seen when it is played.
  const open = Object.keys(code).length > 0 || [...shown].some((id) => id.startsWith('${'));
  listOf(template['facts']).forEach((fact, index) => {
    if (!isJsonObject(fact) || fact['reveal'] === 'volunteered' || fact['weight'] === 0) return;
    const id = String(fact['id']);
    if (told.has(id)) return;
    const say = (message: string) => context.faults.add(message, locationOf(context, ['facts', index]));
    if (fact['reveal'] === 'hidden' && !shown.has(id) && !open)
      say(`Nobody can learn "${id}": it is hidden, and no tool or document reveals it ("reveals").`);
    else if (fact['reveal'] !== 'hidden' && !('ask' in fact))
      say(`Nobody can learn "${id}": it has no words to ask for it ("ask").`);
    else
      say(
        `The gold path never learns "${id}". ${fact['reveal'] === 'hidden' ? 'Call there what shows it' : 'Ask for it there'}, or take the fact away.`,
      );
  });
}

/** Facts that code reveals and that are none: what is written in YAML is looked up when it is read. */
export function checkShown({ scenario, shown, faults }: CheckContext): void {
  const known = listOf(scenario.template['facts']).map((fact) =>
    isJsonObject(fact) ? String(fact['id']) : '',
  );
  for (const id of shown) {
    if (known.includes(id)) continue;
    const near = nearestName(id, known);
    faults.add(
      `The code reveals "${id}", and there is no such fact.${near ? ` Did you mean "${near}"?` : ''} Known: ${known.join(', ') || 'none'}.`,
      scenario.source.locate(['code']),
    );
  }
}

/** The facts that anything in here reveals, wherever it is. */
function revealedIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return listOf(value).flatMap(revealedIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'reveals'
      ? typeof member === 'string'
        ? [member]
        : listOf(member).map(String)
      : revealedIn(member),
  );
}

/**
 * What is volunteered counts as told from its session on, and the scenario's own words are what tells it: a fact of which
 * not one word of weight is there never came out.
 */
export function checkVolunteered(context: CheckContext, task: Task): void {
  const { lexicon } = questionIndexOf(task);
  const keysOf = (text: string): readonly string[] =>
    tokensOf(text.toLowerCase(), lexicon).flatMap(({ weight, keys }) => (weight > 0 ? keys : []));
  for (const fact of task.facts) {
    if (fact.reveal !== 'volunteered') continue;
    const say = (message: string): void =>
      context.warnings.add(
        message,
        locationOf(context, pathOf(context, 'facts', fact.id)),
        task.reference.variant,
      );
    const session = task.sessions[fact.session - 1];
    if (fact.session > 1 && session === undefined) {
      say(`Nobody can learn "${fact.id}": it is volunteered in session ${fact.session}, and there is none.`);
      continue;
    }
    const spoken =
      fact.session > 1 && session !== undefined
        ? [session.briefing, ...session.opens.map(({ says }) => says)].join('\n')
        : task.opening.content;
    const heard = new Set(keysOf(spoken));
    const told = keysOf(`${fact.is}\n${fact.says}`);
    if (told.length > 0 && !told.some((key) => heard.has(key)))
      say(
        `"${fact.id}" is volunteered, so it counts as told, and not a word of it is in what is said then (the briefing, the person's opening). Write it there, or give it another "reveal".`,
      );
  }
}

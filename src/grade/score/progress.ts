import { canonicalJson } from '../../base/json/canonical.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Reveal, ScopeRule, Task } from '../scenario/task.ts';
import type { TurnCall } from '../scenario/transcript.ts';
import type { JudgedCriteria } from './criteria.ts';
import { sayNotCalled, shareOf, type JudgedCall } from './expected-call.ts';
import type { CriterionGrade } from './grade.ts';
import { checkCondition, isCallOf } from './condition.ts';
import { similarity } from './match/similarity.ts';
import type { SeenCall, TranscriptView } from './transcript-view.ts';

/** What a call that nothing expects costs, as a share of all credit. */
const costs = { write: 0.1, repeat: 0.05, contradiction: 0.1, read: 0.02, unknown: 0.05 } as const;

/** What facts, calls and outputs earned: the progress counts it, and so do the dimensions. */
export interface Earned {
  readonly discovery: readonly CriterionGrade[];
  /** One for each expected call, in their order. */
  readonly calls: readonly CriterionGrade[];
  readonly outputs: readonly CriterionGrade[];
}

export function earnedOf(view: TranscriptView, calls: readonly JudgedCall[]): Earned {
  return { discovery: discoveryOf(view), calls: calls.map(callGrade), outputs: outputsOf(calls) };
}

export interface Progress {
  readonly share: number;
  readonly reasons: readonly CriterionGrade[];
}

/** Credit earned over the credit that the scenario fixes, minus penalties, never below 0. */
export function progressOf(
  view: TranscriptView,
  judged: {
    readonly calls: readonly JudgedCall[];
    readonly criteria: JudgedCriteria;
    readonly earned: Earned;
  },
): Progress {
  const { calls, criteria, earned } = judged;
  const groups: { readonly share: number; readonly grades: readonly CriterionGrade[] }[] = [
    { share: view.task.credit.discovery, grades: earned.discovery },
    { share: view.task.credit.calls, grades: earned.calls },
    { share: view.task.credit.outputs, grades: earned.outputs },
    { share: view.task.credit.rubrics, grades: criteria.rubrics.filter((one) => one.possible > 0) },
  ];
  const present = groups.filter((group) => group.share > 0 && sum(group.grades, 'possible') > 0);
  const shares = present.reduce((total, group) => total + group.share, 0);
  const reasons: CriterionGrade[] = [];
  let credit = 0;
  for (const group of present) {
    const possible = sum(group.grades, 'possible');
    const scale = group.share / shares / possible;
    for (const grade of group.grades) {
      credit += grade.earned * scale;
      reasons.push({ ...grade, earned: grade.earned * scale, possible: grade.possible * scale });
    }
  }
  const taken = [...criteria.penalties, ...strayCalls(view, calls)];
  reasons.push(...taken, ...criteria.fatal, ...criteria.success);
  const penalty = taken.reduce((total, one) => total - one.earned, 0);
  return { share: clean(Math.min(1, Math.max(0, credit - penalty))), reasons };
}

/** Sums of shares come out a hair beside the whole; the twelfth decimal is below anything that is meant. */
function clean(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}

function discoveryOf(view: TranscriptView): readonly CriterionGrade[] {
  return view.task.facts
    .filter((fact) => fact.reveal !== 'volunteered' && fact.weight > 0)
    .map(({ id, is, weight, reveal }) => {
      const turn = Object.hasOwn(view.state.revealed, id) ? view.state.revealed[id] : undefined;
      if (turn === undefined) {
        const wasAsked = view.state.withheld?.includes(id) === true;
        const reason = `Not found out${wasAsked ? ' (asked for, and withheld)' : ''}: ${is}`;
        return { id, kind: 'fact', earned: 0, possible: weight, reason };
      }
      const evidence = shownIn(view, turn, reveal);
      const reason = `Found out: ${is}`;
      if (evidence === '') return { id, kind: 'fact', earned: weight, possible: weight, turn, reason };
      return { id, kind: 'fact', earned: weight, possible: weight, turn, evidence, reason };
    });
}

/** What a fact came out by: the person's words, or what tools answered in that turn. */
function shownIn({ transcript: { turns } }: TranscriptView, turn: number, reveal: Reveal): string {
  const shown = turns[turn - 1];
  if (shown?.turn !== turn) return '';
  const outputs = reveal === 'hidden' ? shown.outcomes.filter(({ isError }) => !isError) : [];
  const text = outputs.length > 0 ? outputs.map(({ output }) => output).join(' ') : shown.observation.content;
  return text.slice(0, 120);
}

function callGrade(one: JudgedCall): CriterionGrade {
  const { id, weight } = one.expected;
  const earned = weight * shareOf(one);
  const reason = `${one.reason} (appropriate ${twoPlaces(one.appropriate)}, input ${twoPlaces(one.match)}, timing ${twoPlaces(one.timing)})`;
  if (!one.call) return { id, kind: 'call', earned, possible: weight, reason };
  const evidence = JSON.stringify(one.call.call.input).slice(0, 200);
  return { id, kind: 'call', earned, possible: weight, turn: one.call.turn, evidence, reason };
}

/** Nearly all shares are whole. */
function twoPlaces(share: number): string {
  return share === 1 ? '1.00' : share === 0 ? '0.00' : share.toFixed(2);
}

/** How close each output is to its exemplar; one that was made before its facts earns nothing. */
function outputsOf(calls: readonly JudgedCall[]): readonly CriterionGrade[] {
  return calls
    .filter((one) => one.expected.exemplar !== undefined)
    .map((one) => {
      const close = one.call ? similarity(leaves(one.expected.exemplar!), leaves(one.call.call.input)) : 0;
      return {
        id: `${one.expected.id}:exemplar`,
        kind: 'output',
        earned: one.timing * Math.min(1, close / exemplarThreshold) * one.expected.weight,
        possible: one.expected.weight,
        ...(one.call
          ? { turn: one.call.turn, evidence: JSON.stringify(one.call.call.input).slice(0, 200) }
          : {}),
        reason: one.call
          ? `${one.expected.call} is ${close.toFixed(2)} close to its exemplar.`
          : sayNotCalled(one.expected),
      };
    });
}

/** Two good writers agree on about this share of their words; closer is not better. */
const exemplarThreshold = 0.6;

function leaves(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(leaves).join(' ');
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([key, item]) => `${key} ${leaves(item)}`)
      .join(' ');
  return String(value);
}

/** Calls that nothing expects: they cost when they write, repeat, contradict, or read beyond the budget. */
function strayCalls(view: TranscriptView, judged: readonly JudgedCall[]): readonly CriterionGrade[] {
  const expected = new Set(
    judged.flatMap(({ call, corrects }) => [call, corrects].flatMap((one) => (one ? [one.order] : []))),
  );
  const past = new PastCalls(view);
  const stray: CriterionGrade[] = [];
  for (const seen of view.calls) {
    if (seen.injected) continue;
    const allowed = expected.has(seen.order) || past.hasSame(seen.call) ? undefined : ruleFor(seen, view);
    const cost = expected.has(seen.order) || allowed ? undefined : costOf(seen, view, past);
    past.add(seen, view.task);
    if (allowed)
      stray.push({
        id: allowed.id,
        kind: 'may',
        earned: 0,
        possible: 0,
        turn: seen.turn,
        evidence: JSON.stringify(seen.call.input).slice(0, 200),
        reason: `Allowed: ${allowed.text}`,
      });
    if (cost)
      stray.push({
        id: `${seen.call.name}@${seen.turn}`,
        kind: 'stray_call',
        earned: -cost.share,
        possible: 0,
        turn: seen.turn,
        evidence: JSON.stringify(seen.call.input).slice(0, 200),
        reason: cost.reason,
      });
  }
  return stray;
}

/** The rule of scope that allows a call, where there is one. */
function ruleFor({ call, turn }: SeenCall, view: TranscriptView): ScopeRule | undefined {
  return view.task.criteria.scope.find(
    ({ kind, check }) => kind === 'may' && isCallOf(check, call, turn) && checkCondition(check, view).holds,
  );
}

/** What was called before a call: each is looked at once, however many a model makes. */
class PastCalls {
  /** How often each tool is called in all. */
  readonly #counts = new Map<string, number>();
  readonly #inputs = new Set<string>();
  /** What was read since the world was last written to: to look again after that is no repetition. */
  #read = new Set<string>();
  reads = 0;

  constructor({ calls }: TranscriptView) {
    for (const { call } of calls) this.#counts.set(call.name, (this.#counts.get(call.name) ?? 0) + 1);
  }

  add(seen: SeenCall, task: Task): void {
    const { call } = seen;
    const reads = onlyReads(seen, task);
    if (!reads && task.functions[call.name]) this.#read = new Set();
    if (this.hasOthers(call)) (reads ? this.#read : this.#inputs).add(keyOf(call));
  }

  hasOthers({ name }: TurnCall): boolean {
    return this.#counts.get(name)! > 1;
  }

  hasSame(call: TurnCall): boolean {
    if (!this.hasOthers(call)) return false;
    const key = keyOf(call);
    return this.#inputs.has(key) || this.#read.has(key);
  }
}

function keyOf({ name, input }: TurnCall): string {
  return `${name}\n${canonicalJson(input)}`;
}

/** What failed to write has changed nothing, and cost no more than a look; but to try is no way to find out. */
function onlyReads({ call, isError }: SeenCall, { functions }: Task): boolean {
  return functions[call.name] !== undefined && (isError || !functions[call.name]!.writes);
}

function costOf(
  seen: SeenCall,
  view: TranscriptView,
  past: PastCalls,
): { readonly share: number; readonly reason: string } | undefined {
  const { call } = seen;
  const offer = view.task.tools.find((tool) => tool.id === call.name);
  if (!offer) return { share: costs.unknown, reason: `There is no tool "${call.name}".` };
  // A page is used as it is: what counts is what it comes to.
  if (view.task.functions[call.name]?.page) return undefined;
  if (onlyReads(seen, view.task)) {
    if (past.hasSame(call))
      return {
        share: costs.read,
        reason: `${call.name} had been called with the same input before, and nothing was written since.`,
      };
    past.reads += 1;
    return past.reads > view.task.limits.reads
      ? {
          share: costs.read,
          reason: `${call.name}: beyond the ${view.task.limits.reads} readings that are free.`,
        }
      : undefined;
  }
  if (past.hasSame(call))
    return { share: costs.repeat, reason: `${call.name} was called twice with the same input.` };
  if (past.hasOthers(call) && offer.type === 'decision')
    return { share: costs.contradiction, reason: `${call.name} contradicts another decision.` };
  if (past.hasOthers(call) && offer.type === 'artifact')
    return { share: costs.repeat, reason: `${call.name} was written more than once.` };
  return { share: costs.write, reason: `Nothing called for ${call.name}.` };
}

function sum(grades: readonly CriterionGrade[], member: 'earned' | 'possible'): number {
  return grades.reduce((total, grade) => total + grade[member], 0);
}

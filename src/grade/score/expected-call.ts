import { checkValue, holds } from '../../base/schema/check/check-at-once.ts';
import { describeIssue } from '../../base/schema/check/issue.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { ExpectedCall } from '../scenario/task.ts';
import { readPath } from '../scenario/world-path.ts';
import { fieldOption } from './condition.ts';
import { matchField } from './match/match-field.ts';
import { same } from './match/same-value.ts';
import type { SeenCall, TranscriptView } from './transcript-view.ts';
import { knownBefore } from './transcript-view.ts';

/** An expected call, judged by three questions: appropriate, right input, right time. */
export interface JudgedCall {
  readonly expected: ExpectedCall;
  readonly call?: SeenCall;
  /** The decision that this one takes back. */
  readonly corrects?: SeenCall;
  /** Each from 0 to 1. */
  readonly appropriate: number;
  readonly match: number;
  readonly timing: number;
  /** All of it holds: what success asks. */
  readonly holds: boolean;
  readonly reason: string;
}

/** Judges every expected call; a call of the transcript answers one expectation at most. */
export function judgeExpected(view: TranscriptView): readonly JudgedCall[] {
  const chosen = chooseCalls(view);
  // Those that it follows come first, wherever in the list they stand.
  const judged = new Map<ExpectedCall, JudgedCall>();
  const begun = new Set<ExpectedCall>();
  const judgeOne = (expected: ExpectedCall, index: number): JudgedCall => {
    const known = judged.get(expected);
    if (known) return known;
    begun.add(expected);
    // A circle that only some variants have holds nowhere.
    const grounds = view.task.expected.flatMap((other, at) =>
      expected.follows.includes(other.id) && (judged.has(other) || !begun.has(other))
        ? [judgeOne(other, at)]
        : [],
    );
    const one = judge(expected, { ...chosen.get(index), view, grounds });
    judged.set(expected, one);
    return one;
  };
  return view.task.expected.map(judgeOne);
}

interface Chosen {
  readonly call: SeenCall;
  readonly corrects?: SeenCall;
}

/** A call that may answer an expectation, and how well. */
interface Candidate {
  readonly index: number;
  readonly call: SeenCall;
  readonly match: number;
  readonly likeness: number;
}

/**
 * Which call answers which expectation, by its place. Of decisions the first, or the one that openly corrects it. Of
 * artifacts the last. Of functions the pair that matches best is taken first, so that one call that is missing spoils no other; of
 * equals the first that did not fail.
 */
function chooseCalls(view: TranscriptView): ReadonlyMap<number, Chosen> {
  const chosen = new Map<number, Chosen>();
  const taken = new Set<number>();
  const candidates: Candidate[] = [];
  for (const [index, expected] of view.task.expected.entries()) {
    const calls = view.calls.filter(
      ({ call, order, session, injected }) =>
        call.name === expected.call &&
        !taken.has(order) &&
        !injected &&
        (expected.session ?? session) === session,
    );
    const type = view.task.tools.find((tool) => tool.id === expected.call)?.type;
    if (type === 'decision' || type === 'artifact') {
      const [last] = calls.slice(-1);
      if (last === undefined) continue;
      const one = type === 'decision' ? decisionOf(calls) : { call: last };
      chosen.set(index, one);
      taken.add(one.call.order);
    } else
      for (const call of calls) {
        const { raw, likeness } = fieldsOf(expected, call, view);
        candidates.push({ index, call, match: raw, likeness });
      }
  }
  // A stable sort: of equals the first expectation, and of its calls the first.
  candidates.sort(
    (one, other) =>
      other.match - one.match ||
      Number(one.call.isError) - Number(other.call.isError) ||
      other.likeness - one.likeness,
  );
  for (const { index, call } of candidates) {
    if (chosen.has(index) || taken.has(call.order)) continue;
    chosen.set(index, { call });
    taken.add(call.order);
  }
  return chosen;
}

/** A decision may be corrected once, in a later turn; who changes it more often, or decides twice at once, has not decided. */
function decisionOf(calls: readonly SeenCall[]): Chosen {
  const [first] = calls as readonly [SeenCall];
  const changes = calls.filter((one, at) => at > 0 && !same(decided(one), decided(calls[at - 1]!)));
  const [call] = changes;
  if (call === undefined || changes.length > 1) return { call: first };
  const before = calls[calls.indexOf(call) - 1]!;
  return before.turn < call.turn ? { call, corrects: before } : { call: first };
}

/** What a decision earns that was right only at the second try. */
const correctedShare = 0.5;

/** In a journey a call may be missed in one session and made in another. */
export function sayNotCalled({ call, session }: ExpectedCall): string {
  return `${call} was not called${session === undefined ? '' : ` in session ${session}`}.`;
}

function judge(
  expected: ExpectedCall,
  given: Partial<Chosen> & { view: TranscriptView; grounds: readonly JudgedCall[] },
): JudgedCall {
  const { call, corrects, view, grounds: followed } = given;
  if (!call)
    return {
      expected,
      appropriate: 0,
      match: 0,
      timing: 0,
      holds: false,
      reason: sayNotCalled(expected),
    };
  const unknown = expected.after.filter((fact) => !knownBefore(view, fact, call.turn));
  const unsound = expected.follows.filter(
    (id) => !followed.some((one) => one.expected.id === id && one.holds),
  );
  // A call that it follows is as good a ground as it is right.
  const sound = expected.follows.map((id) => shareOf(followed.find((one) => one.expected.id === id)));
  const grounds = expected.after.length + expected.follows.length;
  const known =
    grounds === 0
      ? 1
      : (expected.after.length - unknown.length + sound.reduce((sum, share) => sum + share, 0)) / grounds;
  const { share, raw, misses } = fieldsOf(expected, call, view);
  const late = expected.by_turn !== undefined && call.turn > expected.by_turn;
  const early = expected.follows.filter((id) => {
    const other = followed.find((one) => one.expected.id === id)?.call;
    return !other || other.order > call.order;
  });
  const contradicted = corrects ? [] : contradictions(expected, call, view);
  const isOrderly = !late && early.length === 0 && contradicted.length === 0;
  const knownFacts = expected.after.length === 0 ? 1 : 1 - unknown.length / expected.after.length;
  const timing = isOrderly ? knownFacts : 0;
  const said = [
    unknown.length > 0
      ? `it came before ${unknown.join(', ')} ${unknown.length === 1 ? 'was' : 'were'} known`
      : '',
    early.length > 0 ? `it came before ${early.join(', ')}` : '',
    early.length === 0 && unsound.length > 0 ? `it rests on ${unsound.join(', ')}, which did not hold` : '',
    late ? `it came after turn ${expected.by_turn}` : '',
    corrects ? `it corrects ${JSON.stringify(decided(corrects))}, which earns half and is not a success` : '',
    contradicted.length > 0 ? `another value was given as well (${contradicted.join(', ')})` : '',
    ...misses,
  ].filter((part) => part !== '');
  // What rests on a ground that is half right is half a guess; where nothing had to be found out, more than that.
  const grounded = share * Math.min(1, ...sound) ** (expected.after.length > 0 ? 1 : 2);
  return {
    expected,
    call,
    ...(corrects && { corrects }),
    appropriate: contradicted.length > 0 ? 0 : known,
    match: contradicted.length > 0 ? 0 : corrects ? grounded * correctedShare : grounded,
    timing,
    // What rests on a wrong ground does not hold, also where that ground is not required.
    holds: timing === 1 && raw === 1 && unsound.length === 0 && !corrects,
    reason:
      said.length === 0
        ? `${expected.call} was right, and at the right time.`
        : `${expected.call}: ${said.map((part) => part.replace(/\.$/, '')).join('; ')}.`,
  };
}

/** How much of a call was right: its input times whether and when it was due. A wrong input earns nothing by being in time. */
export function shareOf(call: JudgedCall | undefined): number {
  return call === undefined ? 0 : call.match * ((call.appropriate + call.timing) / 2);
}

/** The fields of an input: of one that rests on facts, as much is a guess, and earns nothing, as facts were not known yet. */
function fieldsOf(
  expected: ExpectedCall,
  call: SeenCall,
  view: TranscriptView,
): { share: number; raw: number; likeness: number; misses: readonly string[] } {
  const fields = Object.entries(expected.input);
  const refused = schemaMisses(call, view);
  if (fields.length === 0 && refused.length === 0)
    return { share: knownShare(expected.after, call, view), raw: 1, likeness: 1, misses: [] };
  let earned = 0;
  let possible = 0;
  let raw = 1;
  let alike = 0;
  const misses: string[] = [];
  for (const [path, wanted] of fields) {
    const weight = Number(fieldOption(wanted, 'weight') ?? 1);
    const after = fieldOption(wanted, 'after');
    const rests = Array.isArray(after) ? after.map(String) : expected.after;
    const matched = matchField(wanted, readPath(call.call.input, path));
    possible += weight;
    alike += weight * matched.share;
    earned += weight * matched.share * knownShare(rests, call, view);
    if (matched.share < 1) {
      misses.push(`${path}: ${matched.reason()}`);
      if (fieldOption(wanted, 'required') !== false) raw = Math.min(raw, matched.share);
    }
  }
  const matched = possible === 0 ? 1 : earned / possible;
  // What rests on no fact may be guessed, field by field: half right then earns a quarter.
  const share = expected.after.length === 0 ? matched ** 2 : matched;
  // An input that its own schema refuses cannot be right, whatever of it matches.
  const likeness = possible === 0 ? 1 : alike / possible;
  if (refused.length > 0) return { share: share / 2, raw: 0, likeness, misses: [...refused, ...misses] };
  return { share, raw, likeness, misses };
}

/** What the tool's own schema says against an input; members it does not name are fine unless it forbids them. */
function schemaMisses(call: SeenCall, view: TranscriptView): readonly string[] {
  const schema = view.task.tools.find((tool) => tool.id === call.call.name)?.json_schema;
  if (schema === undefined || holds(schema, call.call.input)) return [];
  return checkValue(schema, call.call.input)
    .slice(0, 3)
    .map((issue) => `against its schema: ${describeIssue(issue)}`);
}

function knownShare(facts: readonly string[], call: SeenCall, view: TranscriptView): number {
  if (facts.length === 0) return 1;
  return facts.filter((fact) => knownBefore(view, fact, call.turn)).length / facts.length;
}

/** Other values of a decision: every option at once is not a decision. */
function contradictions(expected: ExpectedCall, chosen: SeenCall, view: TranscriptView): readonly string[] {
  if (view.task.tools.find((tool) => tool.id === expected.call)?.type !== 'decision') return [];
  const value = decided(chosen);
  return view.calls
    .filter(
      ({ call, order, session }) =>
        call.name === expected.call &&
        order !== chosen.order &&
        (expected.session === undefined || session === expected.session),
    )
    .map(decided)
    .filter((other) => !same(other, value))
    .slice(0, 5)
    .map((other) => JSON.stringify(other));
}

function decided({ call }: SeenCall): JsonValue {
  return isJsonObject(call.input) ? (call.input['value'] ?? null) : call.input;
}

import type { Call } from './call.ts';
import { callsOf, localCallsOf } from './message.ts';
import type { Message } from './message.ts';
import { readMessages } from './read-message.ts';
import { errorResult } from './result.ts';
import type { Result } from './result.ts';

/**
 * One thing that keeps a history from being sent. `message` is the index of the message where it is:
 * of the assistant message for what is wrong with a call, of the tool message for everything else.
 */
export interface HistoryProblem {
  readonly kind:
    | 'unanswered'
    | 'answered-twice'
    | 'orphaned'
    | 'misplaced'
    /** A tool message that holds no result. */
    | 'empty'
    /** A call that has the id of an earlier one. Adapters make such ids distinct for the APIs that refuse them. */
    | 'repeated-id';
  readonly message: number;
  readonly callId?: string;
  readonly text: string;
}

/** What mending did about one problem. */
export interface HistoryChange {
  readonly kind: 'added' | 'removed' | 'moved';
  readonly problem: HistoryProblem;
}

/** The `errorCode` of a result in place of one that was never recorded. */
export const noResultRecorded = 'no_result_recorded';

/**
 * Everything that breaks the rule to which providers hold a history: each call of an assistant message has exactly
 * one result, in call order, in the tool messages right after it, and an id of its own. Calls that the provider ran
 * itself need no result.
 */
export function checkHistory(messages: readonly Message[]): readonly HistoryProblem[] {
  const { problems, repeated } = examine(messages);
  return [...problems, ...repeated].sort((a, b) => a.message - b.message);
}

/**
 * The history, made sendable: results are moved to their call, doubled and orphaned ones removed, missing ones
 * replaced by an error that says so. What the model wrote is never changed, its ids neither. A whole history comes
 * back itself.
 */
export function mendHistory(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly changes: readonly HistoryChange[];
} {
  const { problems, steps } = examine(messages);
  if (problems.length === 0) return { messages, changes: [] };
  const mended: Message[] = [];
  let keepsResults = false;
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      if (keepsResults) mended.push(message);
      return;
    }
    mended.push(message);
    const step = steps.get(index);
    keepsResults = step !== undefined && !step.broken;
    if (step?.broken) mended.push({ role: 'tool', results: step.slots.map(resultOf) });
  });
  return {
    messages: mended,
    changes: problems.map((problem) => ({
      kind: cure[problem.kind as keyof typeof cure],
      problem,
    })),
  };
}

const cure = {
  unanswered: 'added',
  'answered-twice': 'removed',
  orphaned: 'removed',
  misplaced: 'moved',
  empty: 'removed',
} as const satisfies Record<Exclude<HistoryProblem['kind'], 'repeated-id'>, HistoryChange['kind']>;

/** An assistant message whose calls want an answer, with a place for each. */
interface Step {
  readonly message: number;
  readonly slots: readonly Slot[];
  readonly open: OpenSlots;
  /** The position of the last result in place: one before it is out of order. */
  furthest: number;
  /** Its tool messages must be written again. */
  broken: boolean;
}

interface Slot {
  readonly message: number;
  readonly position: number;
  readonly call: Call;
  found?: Found;
}

/** Slots by call id, first to last. One id may be used again, also within one message. */
type OpenSlots = Map<string, Slot[]>;

/** A result where it was found. */
interface Found {
  readonly result: Result;
  readonly message: number;
}

/** A history that cannot even be walked is caught at the entrance, which names the field. */
function examine(messages: readonly Message[]): Examination {
  try {
    return walk(messages);
  } catch (error) {
    readMessages(messages);
    throw error;
  }
}

interface Examination {
  readonly problems: readonly HistoryProblem[];
  readonly repeated: readonly HistoryProblem[];
  readonly steps: ReadonlyMap<number, Step>;
}

function walk(messages: readonly Message[]): Examination {
  const problems: HistoryProblem[] = [];
  const steps = new Map<number, Step>();
  const strangers: Found[] = [];
  let current: Step | undefined;
  messages.forEach((message, index) => {
    if (message.role !== 'tool') {
      current = stepOf(message, index);
      if (current !== undefined) steps.set(index, current);
      return;
    }
    if (message.results.length === 0) {
      problems.push({ kind: 'empty', message: index, text: 'A tool message holds no result.' });
      if (current !== undefined) current.broken = true;
    }
    for (const result of message.results) {
      const found = { result, message: index };
      const slot = current?.open.get(result.callId)?.shift();
      if (current === undefined || slot === undefined) {
        strangers.push(found);
        if (current !== undefined) current.broken = true;
        continue;
      }
      slot.found = found;
      if (slot.position < current.furthest) {
        problems.push(problem('misplaced', found, 'comes after the result of a later call'));
        current.broken = true;
      }
      current.furthest = Math.max(current.furthest, slot.position);
    }
  });
  problems.push(...placeStrangers(steps, strangers), ...findUnanswered(steps));
  return {
    problems: problems.sort((a, b) => a.message - b.message),
    repeated: findRepeatedIds(messages),
    steps,
  };
}

function stepOf(message: Message, index: number): Step | undefined {
  const calls = localCallsOf(message);
  if (calls.length === 0) return undefined;
  const slots = calls.map((call, position): Slot => ({ message: index, position, call }));
  return {
    message: index,
    slots,
    open: Map.groupBy(slots, (slot) => slot.call.id),
    furthest: -1,
    broken: false,
  };
}

/** Finds a place for the results that do not follow their call. */
function placeStrangers(steps: ReadonlyMap<number, Step>, strangers: readonly Found[]): HistoryProblem[] {
  if (strangers.length === 0) return [];
  const byId = Map.groupBy(
    [...steps.values()].flatMap((step) => step.slots),
    (slot) => slot.call.id,
  );
  const openById = new Map(
    [...byId].map(([id, slots]) => [id, slots.filter((slot) => slot.found === undefined)]),
  );
  return strangers.map((stranger) => {
    const id = stranger.result.callId;
    const slots = byId.get(id);
    if (slots === undefined) return problem('orphaned', stranger, 'answers no call that we run');
    const open = openById.get(id) ?? [];
    const before = open.findLastIndex((slot) => slot.message < stranger.message);
    const [slot] = open.splice(Math.max(before, 0), 1);
    if (slot === undefined)
      return problem('answered-twice', replaceStandIn(steps, slots, stranger), 'is one too many');
    slot.found = stranger;
    breakStep(steps, slot);
    return problem('misplaced', stranger, 'does not come right after its call');
  });
}

/** A result that says "nothing was recorded" yields to a real one. Answers the one that goes. */
function replaceStandIn(steps: ReadonlyMap<number, Step>, slots: readonly Slot[], stranger: Found): Found {
  if (isStandIn(stranger)) return stranger;
  const slot = slots.find((candidate) => candidate.found !== undefined && isStandIn(candidate.found));
  if (slot?.found === undefined) return stranger;
  const standIn = slot.found;
  slot.found = stranger;
  breakStep(steps, slot);
  return standIn;
}

function findUnanswered(steps: ReadonlyMap<number, Step>): HistoryProblem[] {
  const problems: HistoryProblem[] = [];
  for (const step of steps.values()) {
    for (const { call, found } of step.slots) {
      if (found !== undefined) continue;
      step.broken = true;
      const text = `The call ${call.id} of "${call.name}" has no result.`;
      problems.push({ kind: 'unanswered', message: step.message, callId: call.id, text });
    }
  }
  return problems;
}

function findRepeatedIds(messages: readonly Message[]): HistoryProblem[] {
  const seen = new Map<string, Call>();
  return messages.flatMap((message, index) =>
    (message.role === 'assistant' ? callsOf(message) : []).flatMap((call): HistoryProblem[] => {
      const first = seen.get(call.id);
      if (first === undefined) {
        seen.set(call.id, call);
        return [];
      }
      const text = `The call ${call.id} of "${call.name}" has the id of an earlier call of "${first.name}".`;
      return [{ kind: 'repeated-id', message: index, callId: call.id, text }];
    }),
  );
}

function resultOf(slot: Slot): Result {
  if (slot.found !== undefined) return slot.found.result;
  const text =
    'No result of this call was recorded: it may or may not have run. Check before you call it again.';
  return errorResult(slot.call, noResultRecorded, text);
}

function isStandIn(found: Found): boolean {
  return found.result.errorCode === noResultRecorded;
}

function breakStep(steps: ReadonlyMap<number, Step>, slot: Slot): void {
  const step = steps.get(slot.message);
  if (step !== undefined) step.broken = true;
}

function problem(kind: HistoryProblem['kind'], found: Found, what: string): HistoryProblem {
  const { callId, name } = found.result;
  return {
    kind,
    message: found.message,
    callId,
    text: `The result for the call ${callId} of "${name}" ${what}.`,
  };
}

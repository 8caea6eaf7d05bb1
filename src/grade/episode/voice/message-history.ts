import type { Observation, TranscriptTurn, TurnMessage } from '../../scenario/transcript.ts';

/** What a submitted list of messages is to an episode. */
export type Reading =
  /** These are new: the list held nothing else, or the whole history came before them. */
  | { readonly kind: 'new'; readonly messages: readonly TurnMessage[]; readonly withHistory: boolean }
  /** It is the history up to that turn, whose answer is stored. */
  | { readonly kind: 'repeat'; readonly turn: number; readonly messages: readonly TurnMessage[] }
  /** It is the history up to a turn that was since taken by other messages. */
  | { readonly kind: 'taken'; readonly turn: number }
  /** It claims to be the history, and differs from it. */
  | { readonly kind: 'mismatch'; readonly index: number; readonly held: string | undefined };

interface HistoryEntry {
  readonly turn: number;
  readonly observation: boolean;
  readonly message: TurnMessage | Observation;
}

/**
 * Clients send either what is new or the whole history, with the opening observation or without it. A list is a
 * history when it follows the stored one past something the person said: one's own words alone may be said twice.
 */
export function readHistory(
  opening: Observation,
  turns: readonly TranscriptTurn[],
  submitted: readonly TurnMessage[],
): Reading {
  if (isOneOwn(submitted)) return { kind: 'new', messages: submitted, withHistory: false };
  const held: HistoryEntry[] = [{ turn: 0, observation: true, message: opening }];
  for (const { turn, messages, observation } of turns) {
    for (const message of messages) held.push({ turn, observation: false, message });
    held.push({ turn, observation: true, message: observation });
  }
  if (turns.length === 0) {
    const copied = submitted.length > 1 && matches(held[0], submitted[0]);
    return { kind: 'new', messages: copied ? submitted.slice(1) : submitted, withHistory: copied };
  }
  // The stored list may itself begin with a copy of the opening, so both ways of aligning are tried.
  const readings = [readAligned(held, submitted), readAligned(held.slice(1), submitted)];
  return (
    readings.find((reading) => reading !== undefined && reading.kind !== 'mismatch') ??
    readings.find((reading) => reading !== undefined) ?? {
      kind: 'new',
      messages: submitted,
      withHistory: false,
    }
  );
}

function readAligned(held: readonly HistoryEntry[], submitted: readonly TurnMessage[]): Reading | undefined {
  let leading = 0;
  while (leading < held.length && leading < submitted.length && matches(held[leading], submitted[leading]))
    leading += 1;

  const rest = submitted.slice(leading);
  const followed = held.slice(0, leading).some((entry) => entry.observation);
  const claims = followed || claimsHistory(held, submitted, leading);
  if (!claims) return undefined;
  if (leading === held.length) {
    if (rest.length > 0) return { kind: 'new', messages: rest, withHistory: true };
    return { kind: 'mismatch', index: submitted.length, held: undefined };
  }
  const next = held[leading];
  const before = held[leading - 1];
  if (rest.length === 0) {
    // It stops inside what is stored: at the end of somebody's turn it is that turn again.
    if (next?.observation && before !== undefined && !before.observation)
      return { kind: 'repeat', turn: before.turn, messages: messagesOf(held, submitted, before.turn) };
    return { kind: 'mismatch', index: submitted.length, held: next?.message.content };
  }
  // Other words where the model spoke, and nothing known after them: somebody else took that turn meanwhile.
  if (next !== undefined && !next.observation && followed && !knownLater(held, submitted, leading))
    return { kind: 'taken', turn: next.turn };
  return { kind: 'mismatch', index: leading, held: next?.message.content };
}

/** A list that says the person's words at their places, or one's own words and then something else. */
function claimsHistory(
  held: readonly HistoryEntry[],
  submitted: readonly TurnMessage[],
  leading: number,
): boolean {
  if (knownLater(held, submitted, leading)) return true;
  const before = held[leading - 1];
  return (
    before !== undefined &&
    !before.observation &&
    held[leading]?.observation === true &&
    leading < submitted.length &&
    submitted.length > leading + 1
  );
}

function knownLater(held: readonly HistoryEntry[], submitted: readonly TurnMessage[], from: number): boolean {
  for (let index = from; index < Math.min(held.length, submitted.length); index += 1)
    if (held[index]?.observation && matches(held[index], submitted[index])) return true;
  return false;
}

/** One message of the model's own is not a history, also where it happens to repeat what the person said. */
function isOneOwn(submitted: readonly TurnMessage[]): boolean {
  return submitted.length === 1 && submitted[0]?.role === 'assistant';
}

function matches(held: HistoryEntry | undefined, message: TurnMessage | undefined): boolean {
  if (held === undefined || message === undefined || held.message.content !== message.content) return false;
  // The person's words come back as the source gives them, or as trainers write them: from the user.
  return held.observation ? (message.toolCalls ?? []).length === 0 : held.message.role === message.role;
}

function messagesOf(
  held: readonly HistoryEntry[],
  submitted: readonly TurnMessage[],
  turn: number,
): readonly TurnMessage[] {
  const count = held.filter((entry) => entry.turn === turn && !entry.observation).length;
  return submitted.slice(submitted.length - count);
}

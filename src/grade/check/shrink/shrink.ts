import { isJsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Task } from '../../scenario/task.ts';
import type { Transcript, TurnCall, TurnMessage } from '../../scenario/transcript.ts';
import type { Grade } from '../../score/grade.ts';
import { gradeTranscript } from '../../score/grade-transcript.ts';
import type { Verdicts } from '../../score/verdict.ts';
import { Replay, type Turn, turnsOf } from './replay.ts';
import { smallest } from './smallest.ts';
import { meets, type ShrinkTarget, targetOf } from './target.ts';

export interface ShrinkOptions {
  /** The id of a criterion: it must still fail in the same way, or still earn as much. */
  readonly criterion?: string;
  /** Keeps the reward and the success, whatever fails; or a reward of at least so much. */
  readonly reward?: boolean | number;
  /** Stored verdicts of judges: they are held fixed. */
  readonly verdicts?: Verdicts;
}

/** The smallest transcript that still meets its target. */
export interface Shrunk {
  readonly target: ShrinkTarget;
  readonly before: Grade;
  readonly after: Grade;
  readonly transcript: Transcript;
  /** How many transcripts were played and graded on the way. */
  readonly tried: number;
}

/**
 * Takes turns, calls, sentences and members of inputs away as long as the transcript still fails the same criterion, or
 * still earns its reward. Needs no model: worlds are deterministic and grading is pure. Of what is left nothing can be
 * taken away alone.
 */
export function shrinkTranscript(task: Task, transcript: Transcript, options: ShrinkOptions = {}): Shrunk {
  const replay = new Replay(task);
  const verdicts = options.verdicts ?? {};
  const gradeOf = (turns: readonly Turn[]): Grade => gradeTranscript(task, replay.play(turns), { verdicts });
  const all = turnsOf(transcript);
  const before = gradeOf(all);
  const target = targetOf(before, options);
  let tried = 1;
  const holds = (turns: readonly Turn[]): boolean => {
    tried += 1;
    return meets(gradeOf(turns), target);
  };
  let turns = smallest(all, holds);
  for (;;) {
    const size = JSON.stringify(turns).length;
    const parts = partsOf(turns);
    if (holds(turnsWith(parts))) turns = turnsWith(smallest(parts, (left) => holds(turnsWith(left))));
    turns = withSmallerInputs(turns, holds);
    if (JSON.stringify(turns).length === size) break;
  }
  return { target, before, after: gradeOf(turns), transcript: replay.play(turns), tried };
}

/** One sentence or one call, with the message that it belongs to. */
interface Part {
  readonly turn: number;
  readonly message: number;
  readonly said?: string;
  readonly call?: TurnCall;
}

function partsOf(turns: readonly Turn[]): readonly Part[] {
  return turns.flatMap((messages, turn) =>
    messages.flatMap(({ content, toolCalls = [] }, message): readonly Part[] => {
      const calls = toolCalls.map((call) => ({ turn, message, call }));
      if (content === '' && calls.length > 0) return calls;
      return [...sentencesIn(content).map((said) => ({ turn, message, said })), ...calls];
    }),
  );
}

/** The turns that these parts make: what has lost all of its parts is gone. */
function turnsWith(parts: readonly Part[]): readonly Turn[] {
  return [...Map.groupBy(parts, ({ turn }) => turn).values()].map((ofTurn) =>
    [...Map.groupBy(ofTurn, ({ message }) => message).values()].map(messageWith),
  );
}

function messageWith(parts: readonly Part[]): TurnMessage {
  const content = parts.map(({ said = '' }) => said).join('');
  const toolCalls = parts.flatMap(({ call }) => call ?? []);
  return {
    role: 'assistant',
    content: content.trim(),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

/** Sentences and lines with the space after them. Silence is one part: a turn may be taken away that says nothing. */
function sentencesIn(text: string): readonly string[] {
  return text.split(/(?<=[.!?]\s+|\n)(?=\S)/);
}

function withSmallerInputs(
  turns: readonly Turn[],
  holds: (turns: readonly Turn[]) => boolean,
): readonly Turn[] {
  let smaller = turns;
  turns.forEach((messages, turn) =>
    messages.forEach((message, at) =>
      message.toolCalls?.forEach((call, index) => {
        const input = smallerValue(call.input, (value) => {
          const next = withInput(smaller, { turn, at, index }, value);
          return holds(next) ? next : undefined;
        });
        if (input !== undefined) smaller = input;
      }),
    ),
  );
  return smaller;
}

/** Takes members and items away, the outer ones first; answers with the last turns that held. */
function smallerValue(
  value: JsonValue,
  put: (value: JsonValue) => readonly Turn[] | undefined,
): readonly Turn[] | undefined {
  let held: readonly Turn[] | undefined;
  const keep = (next: JsonValue): boolean => {
    const turns = put(next);
    held = turns ?? held;
    return turns !== undefined;
  };
  if (Array.isArray(value)) {
    const items = [...smallest(value as readonly JsonValue[], keep)];
    items.forEach((item, index) => {
      smallerValue(item, (inner) => {
        const turns = put(items.with(index, inner));
        if (turns !== undefined) {
          items[index] = inner;
          held = turns;
        }
        return turns;
      });
    });
  } else if (isJsonObject(value)) {
    let members = Object.fromEntries(
      smallest(Object.entries(value), (entries) => keep(Object.fromEntries(entries))),
    );
    for (const [name, member] of Object.entries(members))
      smallerValue(member, (inner) => {
        const next = { ...members, [name]: inner };
        const turns = put(next);
        if (turns !== undefined) {
          members = next;
          held = turns;
        }
        return turns;
      });
  }
  return held;
}

function withInput(
  turns: readonly Turn[],
  { turn, at, index }: { readonly turn: number; readonly at: number; readonly index: number },
  input: JsonValue,
): readonly Turn[] {
  const messages = turns[turn]!;
  const message = messages[at]!;
  const calls = message.toolCalls!;
  const toolCalls = calls.with(index, { ...calls[index]!, input });
  return turns.with(turn, messages.with(at, { ...message, toolCalls }));
}

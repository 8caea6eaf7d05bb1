import { canonicalJson } from '../../../base/json/canonical.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { TaskReference, TranscriptTurn, TurnMessage } from '../../scenario/transcript.ts';
import { readMessages } from '../../score/read-transcript.ts';
import type { Cue, Utterance, Voice } from './voice.ts';

/** An episode as it was stored: its turns, and which task they belong to where that is known. */
export interface Recording {
  readonly task?: Partial<TaskReference>;
  readonly turns: readonly Pick<TranscriptTurn, 'messages' | 'observation' | 'voice'>[];
}

/**
 * A person that answers as it did in a recording, as long as it hears the same. From the first other word on it has
 * nothing to answer with: the rules speak, and the turn says so.
 */
export function recordedVoice(recordings: readonly Recording[]): Voice {
  return {
    speak: async (cue) => {
      const ofTask = recordings.filter((recording) => isOf(recording, cue.task.reference));
      const found = ofTask.find((recording) => isHeardIn(recording, cue));
      return found ? repeat(found, cue) : departed(cue, ofTask.length === 0);
    },
  };
}

/** Recordings as somebody kept them: an episode as the HTTP API gives it, a transcript, or a list of such. */
export function readRecordings(value: JsonValue): readonly Recording[] {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return list.map((one) => {
    if (!isJsonObject(one) || !Array.isArray(one['turns']))
      throw new WhetstoneError(
        'transcript_unreadable',
        'This is not a recording: it should be an episode with its "turns", or a list of such.',
      );
    const turns = (one['turns'] as readonly JsonValue[]).filter(isJsonObject);
    return { task: taskIn(one), turns: turns.map(turnOf) };
  });
}

function turnOf(turn: JsonObject): Recording['turns'][number] {
  const { messages, observation } = turn;
  return {
    messages: readMessages(Array.isArray(messages) ? (messages as readonly JsonValue[]) : []),
    observation: {
      role: 'assistant',
      content: isJsonObject(observation) ? String(observation['content'] ?? '') : '',
    },
  };
}

function taskIn(episode: JsonObject): NonNullable<Recording['task']> {
  if (isJsonObject(episode['task'])) return episode['task'] as Partial<TaskReference>;
  const names = {
    collection_slug: 'collection',
    scenario_slug: 'scenario',
    variant: 'variant',
    seed: 'seed',
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, ours]) => (name in episode ? [[ours, episode[name]]] : [])),
  ) as Partial<TaskReference>;
}

function repeat(recording: Recording, cue: Cue): Utterance {
  const { observation, voice } = recording.turns[cue.turns.length]!;
  const { then } = cue.speech;
  const { content } = observation;
  const says = then !== '' && content.endsWith(then) ? content.slice(0, -then.length) : content;
  // What a model said there is told as its words, so that a replay is stored with the same bytes.
  return { says, record: voice ?? { by: 'recording' } };
}

function departed({ speech, turns }: Cue, isOther: boolean): Utterance {
  const fault = isOther
    ? 'There is no recording of this task.'
    : `The recording has no answer to turn ${turns.length + 1}: something else was said up to there.`;
  return { says: speech.heard.says, record: { by: 'recording', fault } };
}

function isOf({ task = {} }: Recording, reference: TaskReference): boolean {
  return Object.entries(task).every(
    ([name, value]) => name === 'version' || value === reference[name as keyof TaskReference],
  );
}

function isHeardIn(recording: Recording, { turns, messages }: Cue): boolean {
  if (recording.turns.length <= turns.length) return false;
  const heard = [...turns.map((turn) => turn.messages), messages].map(heardOf);
  return heard.every((one, index) => one === heardOf(recording.turns[index]!.messages));
}

/** What the person hears and sees of a turn; the client's copies of its own words are not part of it. */
function heardOf(messages: readonly TurnMessage[]): string {
  const said = messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content, toolCalls = [] }) => [content, toolCalls.map(({ name, input }) => [name, input])]);
  return canonicalJson(said as unknown as JsonValue);
}

import type { PlayedTurn, Speech } from '../../play/play.ts';
import type { Task } from '../../scenario/task.ts';
import type { Observation, TranscriptTurn, TurnMessage, VoiceRecord } from '../../scenario/transcript.ts';
import type { PlayState } from '../../scenario/play-state.ts';

/**
 * Finds the words of a person. Before a voice is asked, the rules have decided what the person may tell, what it does
 * and what it makes of a message; nothing that a voice says changes an episode's facts, its world or its grade.
 */
export interface Voice {
  /** Never throws. Answers nothing where the rules are to speak for themselves. */
  speak(cue: Cue): Promise<Utterance | undefined>;
}

/** All that is known when the person is to speak. */
export interface Cue {
  readonly task: Task;
  readonly opening: Observation;
  /** The turns before this one. */
  readonly turns: readonly TranscriptTurn[];
  readonly messages: readonly TurnMessage[];
  readonly speech: Speech;
  /** The state after the turn: what is out, and so may be spoken of. */
  readonly state: PlayState;
}

export interface Utterance {
  /** In place of the rules' answer. */
  readonly says: string;
  readonly record: VoiceRecord;
}

/** A turn as the voice says it. */
export interface VoicedTurn extends PlayedTurn {
  readonly voice?: VoiceRecord;
}

/**
 * Lets a voice say what the rules decided. Where nothing was said to the person, and where its `voice` is `rules`, no one
 * is asked.
 */
export async function voiceTurn(
  voice: Voice | undefined,
  scene: Pick<Cue, 'task' | 'opening' | 'turns' | 'messages'>,
  played: PlayedTurn,
): Promise<VoicedTurn> {
  const { speech, state } = played;
  const isForRules =
    scene.task.person.voice === 'rules' || played.ended === 'error' || wordsIn(scene.messages) === '';
  if (voice === undefined || speech === undefined || isForRules) return played;
  const utterance = await voice.speak({ ...scene, speech, state });
  if (utterance === undefined) return played;
  const observation: Observation = { role: 'assistant', content: utterance.says + speech.then };
  return { ...played, observation, voice: utterance.record };
}

/** What the operator says in a turn. */
export function wordsIn(messages: readonly TurnMessage[]): string {
  return messages
    .filter(({ role, content }) => role === 'assistant' && content.trim() !== '')
    .map(({ content }) => content)
    .join('\n');
}

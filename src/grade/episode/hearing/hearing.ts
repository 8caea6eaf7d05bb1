import type { PlayState } from '../../scenario/play-state.ts';
import type { Task } from '../../scenario/task.ts';
import type { HearingRecord, Observation, TranscriptTurn, TurnMessage } from '../../scenario/transcript.ts';
import { wordsIn } from '../voice/voice.ts';

/**
 * Hears what a message asks for, in place of the rules. It only says which things on a closed list are asked for: the
 * rules decide what the person answers, what stays locked and what it all earns.
 */
export interface Hearing {
  /** Never throws. Answers nothing where the rules are to hear. */
  hear(scene: HearingScene): Promise<HearingRecord | undefined>;
}

/** All that is known when the person is to hear. */
export interface HearingScene {
  readonly task: Task;
  readonly opening: Observation;
  /** The turns before this one. */
  readonly turns: readonly TranscriptTurn[];
  readonly messages: readonly TurnMessage[];
  /** The state before this turn. */
  readonly state: PlayState;
}

/** Lets somebody hear a turn. Where nothing is said to the person, and where its `hearing` is `rules`, no one is asked. */
export async function hearTurn(
  hearing: Hearing | undefined,
  scene: HearingScene,
): Promise<HearingRecord | undefined> {
  if (hearing === undefined || scene.task.person.hearing === 'rules') return undefined;
  return wordsIn(scene.messages) === '' ? undefined : hearing.hear(scene);
}

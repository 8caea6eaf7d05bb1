import type { JsonObject } from '../../base/json/value.ts';

/** A tool as one who speaks is told of it. */
export interface SpeakerTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** What one is told before anything is said. */
export interface Brief {
  readonly system: string;
  readonly tools: readonly SpeakerTool[];
}

export interface SpokenCall {
  readonly id: string;
  readonly name: string;
  /** As it was written: numbers and the order of keys count. */
  readonly arguments: string;
}

export interface Utterance {
  readonly text: string;
  readonly calls: readonly SpokenCall[];
}

/** What came since one spoke last: words of the other side, or what one's calls were answered, in their order. */
export interface Heard {
  readonly words?: string;
  readonly results?: readonly string[];
  /** Tools that are there from now on. */
  readonly tools?: readonly SpeakerTool[];
}

/** One side of a conversation. */
export interface Speaker {
  /** Nothing where it has no more to say. */
  next(heard: Heard): Promise<Utterance | undefined>;
  end?(): void;
}

/** Takes a side. */
export type Seat = (brief: Brief) => Speaker;

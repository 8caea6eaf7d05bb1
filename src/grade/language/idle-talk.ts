import { readPhrases } from './read-lists.ts';

/** What operators say that asks a person for nothing, in any conversation. */
export const idleTalk: readonly string[] = readPhrases(new URL('./data/idle-talk.txt', import.meta.url));

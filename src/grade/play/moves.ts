import { assertedIn } from '../language/asserted.ts';
import { lexiconOf } from '../language/lexicon.ts';
import type { Lexicon } from '../language/lexicon.ts';
import { matchPattern, patternOf, phrasesIn } from '../language/pattern.ts';
import type { Pattern } from '../language/pattern.ts';
import { readingOf } from '../language/reading.ts';
import { tokensOf } from '../language/tokens.ts';
import { playConditionHolds } from '../scenario/play-condition.ts';
import type { PlayState } from '../scenario/play-state.ts';
import type { PersonMove, Task } from '../scenario/task.ts';

/**
 * What the person does of its own accord in a turn: the first of its moves whose time has come, which is not used up, and
 * which what was said and done brings about. `state` is that after the turn, `words` are the operator's.
 */
export function moveOf(task: Task, state: PlayState, words: string): PersonMove | undefined {
  const { moves } = task.person;
  if (moves.length === 0) return undefined;
  return moves.find(
    ({ id, session, turn, times, if: condition, said }) =>
      (session ?? state.session) === state.session &&
      state.sessionTurn >= (turn ?? 1) &&
      (state.moved?.[id] ?? 0) < times &&
      (!condition || playConditionHolds(condition, state)) &&
      (said.length === 0 || isSaid(said, words, task)),
  );
}

interface MoveIndex {
  readonly lexicon: Lexicon;
  readonly patterns: ReadonlyMap<readonly string[], readonly Pattern[]>;
}

const known = new WeakMap<Task, MoveIndex>();

/** It is said, offered or asked; what is denied is not. */
function isSaid(said: readonly string[], words: string, task: Task): boolean {
  let listening = known.get(task);
  if (listening === undefined) known.set(task, (listening = moveIndexOf(task)));
  const { lexicon } = listening;
  const patterns = listening.patterns.get(said)!;
  for (const { text } of readingOf(words, lexicon).clauses) {
    const tokens = tokensOf(assertedIn(text), lexicon);
    if (patterns.some((pattern) => matchPattern(pattern, tokens))) return true;
  }
  return false;
}

function moveIndexOf({ person }: Task): MoveIndex {
  const lists = person.moves.map(({ said }) => said);
  const lexicon = lexiconOf(person.synonyms, [...new Set(lists.flat().flatMap(phrasesIn))]);
  return {
    lexicon,
    patterns: new Map(lists.map((said) => [said, said.map((source) => patternOf(source, lexicon))])),
  };
}

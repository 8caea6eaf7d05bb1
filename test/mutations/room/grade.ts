import type { Mutation } from '../mutation.ts';

const formula = 'src/grade/score/grade-transcript.ts';
const lumbarStrain = 'src/grade/score/lumbar-strain.test.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'acknowledged-disk',
    promise: 'An acknowledged turn is never lost: it is on disk, not in the hands of the system.',
    file: 'src/grade/store/sqlite.ts',
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = NORMAL',
    test: 'src/grade/store/sqlite-store.test.ts',
  },
  {
    name: 'journal-taken-up',
    promise: 'Nothing is run twice: a run that another process took up is closed to the first one.',
    file: 'src/grade/store/store-journal.ts',
    find: 'this.#last ??= (await',
    replace: 'this.#last = (await',
    test: 'src/grade/store/store-journal.test.ts',
  },
  {
    name: 'acknowledged-once',
    promise: 'An acknowledged turn is never graded twice: a repeat is known by its key.',
    file: 'src/grade/episode/decide-turn.ts',
    find: "if (row.bodyHash === request.hash) return { kind: 'repeat', row };",
    replace: '',
    test: 'src/serve/server/labs/labs.test.ts',
  },
  {
    name: 'acknowledged-number',
    promise: 'An acknowledged turn is never graded twice: a repeat is known by its number.',
    file: 'src/grade/episode/decide-turn.ts',
    find: "if (same) return { kind: 'repeat', row };",
    replace: '',
    test: 'src/serve/server/labs/labs.test.ts',
  },
  {
    name: 'formula-required',
    promise: 'A right guess is not success: every required expectation must hold.',
    file: formula,
    find: 'required.every(Boolean)',
    replace: 'required.some(Boolean)',
    test: lumbarStrain,
  },
  {
    name: 'formula-silence',
    promise: 'Doing nothing scores exactly 0.',
    file: formula,
    find: 'const plain = gate * ((success + progress.share) / 2);',
    replace: 'const plain = gate * ((success + Math.max(progress.share, 0.01)) / 2);',
    test: lumbarStrain,
  },
  {
    name: 'grade-again',
    promise: 'A grade explains itself, and the same transcript gives the same number, bit for bit.',
    file: formula,
    find: 'const success = did &&',
    replace: 'const success = Math.random() < 0.5 && did &&',
    test: lumbarStrain,
  },
  {
    name: 'secrets-evaluation',
    promise: 'Secrets stay home: the reasons of an evaluation go only to keys with the right to explain.',
    file: 'src/serve/server/labs/write-answer.ts',
    find: '...(caller.explain && { score_breakdown: breakdownOf(grade) }),',
    replace: 'score_breakdown: breakdownOf(grade),',
    test: 'src/serve/server/keys.test.ts',
  },
  {
    name: 'secrets-episode',
    promise: 'Secrets stay home: facts and reasons of an episode go only to keys with the right to explain.',
    file: 'src/serve/server/labs/write-answer.ts',
    find: '...(caller.explain && { explain: writeExplanation(live) }),',
    replace: 'explain: writeExplanation(live),',
    test: 'src/serve/server/keys.test.ts',
  },
];

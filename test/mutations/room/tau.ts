import type { Mutation } from '../mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'tau-bench-ended',
    promise: 'A benchmark is graded as its own grader does: an episode that did not end earns nothing.',
    file: 'src/eval/tau-bench/grade.ts',
    find: "  if (!ended) yield 'The episode did not end: it was stopped at its limit of steps.';\n",
    replace: '',
    test: 'src/eval/tau-bench/grade.test.ts',
  },
  {
    name: 'tau-bench-quotes',
    promise:
      'A benchmark is graded as its own grader does: text is hashed with the quotes that Python chooses.',
    file: 'src/eval/python/repr.ts',
    find: `const quote = text.includes("'") && !text.includes('"') ? '"' : "'";`,
    replace: `const quote = "'";`,
    test: 'src/eval/python/python.test.ts',
  },
  {
    name: 'tau-bench-own-lists',
    promise:
      'A benchmark is graded as its own grader does: each line begins with the data as they are in the folder.',
    file: 'src/eval/python/database.ts',
    find: 'const copy = deepCopy(record);',
    replace: 'const copy = record;',
    test: 'src/eval/tau-bench/grade.test.ts',
  },
  {
    name: 'tau2-in-step',
    promise: 'A benchmark is graded as its own grader does: phone and carrier are in step after each call.',
    file: 'src/eval/tau2/environment.ts',
    find: '      this.perform(call);\n      this.sync();',
    replace: '      this.perform(call);',
    test: 'src/eval/tau2/grade.test.ts',
  },
  {
    name: 'tau2-solo',
    promise:
      'A benchmark is graded as its own grader does: only a simulation without a user gives the agent their tools.',
    file: 'src/eval/tau2/grade.ts',
    find: "const isSolo = !messages.some(({ role }) => role === 'user');",
    replace: 'const isSolo = true;',
    test: 'src/eval/tau2/grade.test.ts',
  },
];

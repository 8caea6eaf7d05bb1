import type { Mutation } from '../mutation.ts';

const test = 'src/eval/benchmark/bfcl/bfcl.test.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'bfcl-integer-for-float',
    promise: 'BFCL: a whole number is taken for a float at the top only, never inside a list.',
    file: 'src/eval/benchmark/bfcl/check-type.ts',
    find: 'if (inner === undefined) return { isVariable };',
    replace: 'return { isVariable };',
    test,
  },
  {
    name: 'bfcl-greedy',
    promise: 'BFCL: a call that is taken is not given again.',
    file: 'src/eval/benchmark/bfcl/check-calls.ts',
    find: 'taken.add(found);',
    replace: '',
    test,
  },
  {
    name: 'bfcl-members-of-v4',
    promise: 'BFCL: a dict may lack what may be left out in v4, and not in 2024-08.',
    file: 'src/eval/benchmark/bfcl/check-value.ts',
    find: "if (version === '2024-08' && value.size !== answer.size)",
    replace: 'if (value.size > answer.size)',
    test,
  },
  {
    name: 'replay-believes-the-file',
    promise: 'whet eval --replay grades what was recorded again, and does not take the reward of the file.',
    file: 'src/serve/evaluate/eval/replay-study.ts',
    find: 'results.push(resultOf(run, reward));',
    replace: 'results.push(resultOf(run, run.recorded ?? reward));',
    test: 'src/serve/evaluate/benchmark/replay.test.ts',
  },
  {
    name: 'study-cut-line',
    promise: 'A study goes on where it was stopped: a line that a crash cut off is taken away.',
    file: 'src/eval/study/study-log.ts',
    find: 'if (whole < this.#end) ftruncateSync(this.#file, whole);',
    replace: '',
    test: 'src/eval/study/study.test.ts',
  },
  {
    name: 'study-played-once',
    promise: 'A study plays nothing twice.',
    file: 'src/eval/study/run-study.ts',
    find: 'this.#queue = cells.filter(({ key }) => !log.has(key));',
    replace: 'this.#queue = [...cells];',
    test: 'src/eval/study/study.test.ts',
  },
  {
    name: 'exchange-arguments-text',
    promise: 'Arguments that are not JSON go through other formats as the model wrote them.',
    file: 'src/eval/exchange/chat-messages.ts',
    find: 'JSON.stringify(value) === given ? value : given',
    replace: 'true ? value : {}',
    test: 'src/eval/exchange/exchange.test.ts',
  },
  {
    name: 'exchange-own-call',
    promise: 'In ATIF a result names its call.',
    file: 'src/eval/exchange/atif.ts',
    find: '...(ids.includes(result.callId) && { source_call_id: result.callId }),',
    replace: '',
    test: 'src/eval/exchange/exchange.test.ts',
  },
  {
    name: 'json-lines-end',
    promise: 'A line of JSON ends at a line feed alone: U+2028 may be part of a text.',
    file: 'src/base/json/read-lines.ts',
    find: ".split('\\n')",
    replace: '.split(/[\\n\\u2028]/)',
    test: 'src/serve/evaluate/benchmark/benchmark.test.ts',
  },
];

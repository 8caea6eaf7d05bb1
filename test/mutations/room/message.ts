import type { Mutation } from '../mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'history-order',
    promise: 'Every history can be sent again: results stand in call order.',
    file: 'src/base/message/check-history.ts',
    find: 'slot.position < current.furthest',
    replace: 'false',
    test: 'src/base/message/check-history.test.ts',
  },
  {
    name: 'history-orphans',
    promise: 'Every history can be sent again: a result without its call is found.',
    file: 'src/base/message/check-history.ts',
    find: '        strangers.push(found);\n',
    replace: '',
    test: 'src/base/message/check-history.test.ts',
  },
  {
    name: 'half-cut-call',
    promise: 'A cut call is never run: where a reply broke off, a call that was not ended says so.',
    file: 'src/base/message/complete.ts',
    find: 'options.cut === true && ended !== true',
    replace: 'false',
    test: 'src/base/message/partial-message.test.ts',
  },
  {
    name: 'half-read-twice',
    promise: 'Constant cost: the arguments of a call are read once, however often one looks.',
    file: 'src/base/message/partial-message.ts',
    find: '      readers.set(merged, live);\n',
    replace: '',
    test: 'src/base/message/partial-message.test.ts',
  },
  {
    name: 'signature-optional',
    promise: 'A schema read from a signature takes what the compiler takes, and nothing else.',
    file: 'src/base/schema/signature/type-schema.ts',
    find: 'if (!optional) required.push(name);',
    replace: '',
    test: 'src/base/schema/signature/against-compiler.test.ts',
  },
  {
    name: 'signature-stale',
    promise: 'A file of signatures that is stale is noticed.',
    file: 'src/run/tool/tools-from.ts',
    find: 'changed.length === 0 ||',
    replace: 'changed.length >= 0 ||',
    test: 'src/run/tool/tools-from.test.ts',
  },
];

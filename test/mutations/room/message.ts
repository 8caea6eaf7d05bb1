import type { Mutation } from '../mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'history-order',
    promise: 'Every history can be sent again: results stand in call order.',
    file: 'src/base/message/history.ts',
    find: 'slot.position < current.furthest',
    replace: 'false',
    test: 'src/base/message/history.test.ts',
  },
  {
    name: 'history-orphans',
    promise: 'Every history can be sent again: a result without its call is found.',
    file: 'src/base/message/history.ts',
    find: '        strangers.push(found);\n',
    replace: '',
    test: 'src/base/message/history.test.ts',
  },
];

import type { Mutation } from '../mutation.ts';

export const mutations: readonly Mutation[] = [
  {
    name: 'lowering-absent',
    promise: 'Nothing is lost on the way to a provider: null that says "not there" comes back as not there.',
    file: 'src/base/dialect/value/decode-value.ts',
    find: "if (member.absent === 'null' && given === null) continue;",
    replace: '',
    test: 'src/base/dialect/published-schemas.test.ts',
  },
  {
    name: 'lowering-union',
    promise: 'Nothing is lost on the way to a provider: a union is written with the branch that comes back.',
    file: 'src/base/dialect/value/encode-value.ts',
    find: 'if (!fits(branch.shape, encoded, plan.shapes ?? {})) {',
    replace: 'if (decoded === undefined) {',
    test: 'src/base/dialect/lower.test.ts',
  },
  {
    name: 'lowering-named',
    promise: 'Nothing is lost on the way to a provider: a constraint that it is not told is named.',
    file: 'src/base/dialect/write/write-limits.ts',
    find: 'dropped.push({ path, keyword, value, said });',
    replace: '',
    test: 'src/base/dialect/lower.test.ts',
  },
  {
    name: 'check-words',
    promise: 'A model is told what was wrong: what was expected at that place, and what it sent.',
    file: 'src/base/schema/check/issue.ts',
    find: 'expected ${issue.expected}, ${got}',
    replace: 'invalid',
    test: 'src/base/schema/check/check.test.ts',
  },
  {
    name: 'zod-optional',
    promise:
      'Nothing is lost on the way to a provider: a member that Zod 4.0 lets be absent is not demanded.',
    file: 'src/base/schema/zod/zod-4.ts',
    find: 'const required = keys.filter((key) => shape[key]?._zod.optin === undefined);',
    replace: 'const required = keys;',
    test: 'src/base/schema/zod/print-zod.test.ts',
  },
];

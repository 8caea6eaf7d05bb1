import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readEnvironment, requireEnvironment } from './environment.ts';

test('an empty variable counts as not set', (context) => {
  context.after(() => delete process.env['WHET_EMPTY']);
  process.env['WHET_EMPTY'] = '';
  assert.equal(readEnvironment('WHET_EMPTY'), undefined);
});

test('a missing variable is named, with the option that may be used instead', () => {
  assert.throws(() => requireEnvironment('WHET_NOT_THERE', '--key'), {
    code: 'environment_missing',
    message: /WHET_NOT_THERE.*--key/,
    details: { name: 'WHET_NOT_THERE', option: '--key' },
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isWhetstoneError } from './errors.ts';
import { checkHeaders } from './headers.ts';

test('refuses the headers that fetch refuses, and lets the others be', () => {
  const values = ['plain', ' blanks\r\n', 'é', 'tab\tin', 'a\nb', 'a\rb', 'a\0b', '…', '😀', ''];
  const names = ['x-a', 'X_A', 'a b', 'ä', '', 'a:b'];
  const cases = [...values.map((value) => ['x-a', value]), ...names.map((name) => [name, 'v'])];
  for (const [name = '', value = ''] of cases) {
    const takes = (check: () => unknown): boolean => {
      try {
        check();
        return true;
      } catch {
        return false;
      }
    };
    assert.equal(
      takes(() => checkHeaders({ [name]: value }, '')),
      takes(() => new Headers({ [name]: value })),
      JSON.stringify([name, value]),
    );
  }
});

test('says what is wrong with a header, and never its value', () => {
  const why = (headers: Record<string, string>): string => {
    try {
      checkHeaders(headers, 'Look at the key.');
    } catch (error) {
      assert.ok(isWhetstoneError(error) && error.code === 'header_invalid');
      assert.doesNotMatch(JSON.stringify([error.message, error.details]), /sk-secret/);
      return error.message;
    }
    return '';
  };
  assert.equal(
    why({ authorization: 'Bearer sk-secret\nsk-second' }),
    'The header "authorization" cannot be sent: its value holds a line break, which no header may have. Look at the key.',
  );
  assert.match(why({ 'x-api-key': 'sk-secret…' }), /the character "…"/);
  assert.match(why({ 'x-api-key': 'sk-secret\0' }), /the control character 0/);
  // `Headers` takes it, and the request that has it fails.
  assert.match(why({ 'x-api-key': 'sk-secret\u0001' }), /the control character 1/);
  assert.match(why({ 'api key': 'sk-secret' }), /its name is not one that HTTP allows/);
});

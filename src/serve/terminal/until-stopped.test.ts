import assert from 'node:assert/strict';
import { test } from 'node:test';

import { untilStopped } from './until-stopped.ts';

test('Ctrl-C and a polite kill are told apart, and nobody listens any more afterwards', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const before = process.listenerCount(signal);
    {
      using stop = untilStopped();
      assert.equal(stop.code(), 0);
      process.emit(signal);
      assert.equal(stop.code(), code);
      assert.ok(stop.signal.aborted);
    }
    assert.equal(process.listenerCount(signal), before);
  }
});

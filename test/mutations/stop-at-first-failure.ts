import { afterEach, beforeEach } from 'node:test';

// Loaded before a test file: once one of its tests has failed, the others fail at once. One is enough to see a fault.
let failed = false;
afterEach((test) => {
  if ('passed' in test && !test.passed) failed = true;
});
beforeEach(() => {
  if (failed) throw new Error('A test before this one has failed, which is enough.');
});

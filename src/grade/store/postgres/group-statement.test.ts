import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GroupStatement } from './group-statement.ts';

class Refused extends Error {}
class Away extends Error {}

/** A database that says what it was asked in each statement, and answers when it is told to. */
function database(fails: (items: readonly string[]) => Error | undefined = () => undefined) {
  const statements: (readonly string[])[] = [];
  let answer = (): void => {};
  const group = new GroupStatement<string, string>({
    run: async (items) => {
      statements.push(items);
      await new Promise<void>((resolve) => (answer = resolve));
      const error = fails(items);
      if (error !== undefined) throw error;
      return items.map((item) => `${item}!`);
    },
    wasRefused: (error) => error instanceof Refused,
    neverReached: (error) => error instanceof Away,
  });
  const nextStatement = async (): Promise<void> => {
    const seen = statements.length;
    answer();
    while (statements.length === seen) await new Promise(setImmediate);
  };
  return { group, statements, nextStatement, finish: () => answer() };
}

const round = () => new Promise(setImmediate);

test('the first goes at once, and what comes while it is under way goes next, together', async () => {
  const { group, statements, nextStatement, finish } = database();
  const first = group.ask('a');
  await round();
  assert.deepEqual(statements, [['a']]);
  const others = ['b', 'c'].map((item) => group.ask(item));
  await round();
  others.push(group.ask('d'));
  await nextStatement();
  assert.equal(await first, 'a!');
  assert.deepEqual(statements, [['a'], ['b', 'c', 'd']]);
  finish();
  assert.deepEqual(await Promise.all(others), ['b!', 'c!', 'd!']);
  void group.ask('e');
  await round();
  assert.deepEqual(statements.at(-1), ['e']);
});

test('of a statement that was refused each is tried by itself, and only the guilty fail', async () => {
  const group = new GroupStatement<string, string>({
    run: async (items) => {
      if (items.includes('bad')) throw new Refused('no');
      return items.map((item) => `${item}!`);
    },
    wasRefused: (error) => error instanceof Refused,
    neverReached: (error) => error instanceof Away,
  });
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((item) => group.ask(item)));
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
    ['a!', 'Error: no', 'b!'],
  );
});

test('when the database is away nothing is tried again: it may have been done', async () => {
  const { group, statements, finish } = database(() => new Error('connection lost'));
  const lost = Promise.allSettled(['a', 'b'].map((item) => group.ask(item)));
  await round();
  finish();
  assert.deepEqual(
    (await lost).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(statements, [['a', 'b']]);
});

test('when no connection comes about, those that wait fail with those that tried, and later ones try again', async () => {
  let away = true;
  const { group, statements, finish } = database(() => (away ? new Away('nobody listens') : undefined));
  const tried = group.ask('a');
  await round();
  const behind = Promise.allSettled(['b', 'c'].map((item) => group.ask(item)));
  finish();
  await assert.rejects(tried, /nobody listens/);
  assert.deepEqual(
    (await behind).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  away = false;
  const later = group.ask('d');
  await round();
  finish();
  assert.equal(await later, 'd!');
  assert.deepEqual(statements, [['a'], ['d']]);
});

test('no statement takes more than a hundred', async () => {
  const sizes: number[] = [];
  const group = new GroupStatement<number, number>({
    run: async (items) => {
      sizes.push(items.length);
      return items;
    },
    wasRefused: () => false,
    neverReached: () => false,
  });
  const items = Array.from({ length: 250 }, (_, index) => index);
  assert.deepEqual(await Promise.all(items.map((item) => group.ask(item))), items);
  assert.deepEqual(sizes, [100, 100, 50]);
});

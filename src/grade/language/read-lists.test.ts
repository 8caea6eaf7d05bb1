import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Lists, readLines, readPhrases } from './read-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'whet-lists-'));
after(() => rmSync(folder, { recursive: true }));

function fileOf(...lines: readonly string[]): URL {
  const file = join(folder, `${lines.length}.txt`);
  writeFileSync(file, lines.join('\n'));
  return pathToFileURL(file);
}

test('an indented line goes on with the one before it, and comments are left out', () => {
  const file = fileOf('// what it is', 'one, two,', '  three', '', 'four | five');
  assert.deepEqual(readLines(file), ['one, two, three', 'four | five']);
  assert.deepEqual(readPhrases(file), ['one, two, three', 'four', 'five']);
});

test('a list names another, its groups capture nothing, and other brackets are what they are', () => {
  const lists = new Lists(
    fileOf(
      '[verb]',
      'tell|say',
      'name',
      '[asks]',
      '^(please )?{verb} (?<it>it)',
      String.raw`\([()]{1,2}\)[ ]`,
    ),
  );
  assert.deepEqual(lists.get('asks'), [
    '^(?:please )?(?:tell|say|name) (?<it>it)',
    String.raw`\([()]{1,2}\)[ ]`,
  ]);
  const found = lists.expression('asks').exec('please name it');
  assert.deepEqual([found?.length, found?.groups?.['it']], [2, 'it']);
  assert.ok(lists.expression('asks').test('(() '));
  assert.deepEqual([...lists.words('verb')], ['tell|say', 'name']);
});

test('a list that is not there is told by its name', () => {
  assert.throws(() => new Lists(fileOf('[one]', '{two}')), /There is no list \[two\]/);
});

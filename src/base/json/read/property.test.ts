import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rounds, seed } from '../../../../test/rounds.ts';
import { type Random, seededRandom } from '../../host/random.ts';
import { isWhetstoneError } from '../../host/errors.ts';
import { JsonBytes } from './bytes.ts';
import type { JsonEvent } from './events.ts';
import { parseJson } from '../parse.ts';
import { JsonReader } from './reader.ts';
import { anyKey } from './subscription.ts';
import type { ExactJson } from '../value.ts';

const strings = [
  '',
  'a',
  'name',
  'é',
  '😀',
  '\ud83d',
  '\ude00',
  '"',
  '\\',
  '/',
  '\n',
  '\u0000',
  '\u2028',
  '__proto__',
  'constructor',
  '0',
  '12',
  '{',
  ']',
  ',',
  'null',
];
const numbers = [
  '0',
  '-0',
  '1',
  '-7',
  '42',
  '123456789',
  '0.5',
  '-12.25',
  '1e3',
  '2E-2',
  '5.0',
  '1.7976931348623157e308',
  '1e400',
  '5e-324',
  '9007199254740993',
  '0.1',
  '123456789012345678901234567890',
  '3.141592653589793',
  '100000000000000000000000',
  '-0.0e-0',
];
const spaces = ['', '', '', ' ', '\n', '\r\n', '\t  '];

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

function randomString(random: Random): string {
  let text = '';
  for (let left = Math.floor(random() * 5); left > 0; left--) {
    const plain = pick(random, strings);
    if (random() < 0.3) {
      for (let i = 0; i < plain.length; i++) {
        const hex = plain.charCodeAt(i).toString(16).padStart(4, '0');
        text += `\\u${random() < 0.5 ? hex : hex.toUpperCase()}`;
      }
    } else text += JSON.stringify(plain).slice(1, -1);
  }
  return `"${text}"`;
}

/** A JSON text; keys come again now and then, unless `unique`. */
function randomText(random: Random, depth: number, unique = false): string {
  const space = (): string => pick(random, spaces);
  const kind = random() * (depth > 0 ? 1 : 0.6);
  if (kind < 0.2) return pick(random, numbers);
  if (kind < 0.45) return randomString(random);
  if (kind < 0.6) return pick(random, ['true', 'false', 'null']);
  const members: string[] = [];
  const keys = new Set<unknown>();
  for (let left = Math.floor(random() * 6); left > 0; left--) {
    const child = space() + randomText(random, depth - 1, unique) + space();
    if (kind < 0.8) members.push(child);
    else {
      const name = randomString(random);
      // V8 14.6 mixes up keys here (parse.ts), so that its JSON.parse cannot judge them.
      if (/\\\\|\\u005c/i.test(name)) continue;
      if (unique && keys.has(JSON.parse(name))) continue;
      keys.add(JSON.parse(name));
      members.push(`${space()}${name}${space()}:${child}`);
    }
  }
  return kind < 0.8 ? `[${members.join(',') || space()}]` : `{${members.join(',') || space()}}`;
}

function randomPieces(random: Random, text: string): string[] {
  const pieces: string[] = [];
  const longest = 1 + Math.floor(random() * 12);
  for (let at = 0; at < text.length;) {
    const size = Math.floor(random() * (longest + 1));
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** Changes a text so that it is most likely not JSON any more. */
function broken(random: Random, text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const noise = pick(random, [
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '-',
    '.',
    'e',
    '0',
    '1',
    't',
    'n',
    ' ',
    '\n',
    '\u0001',
    '+',
    'u',
    'x',
    '\ufeff',
  ]);
  return text.slice(0, at) + (random() < 0.7 ? noise : '') + text.slice(at + (random() < 0.6 ? 1 : 0));
}

/**
 * Can this text still become JSON? Says so without any parser of ours: some ending out of a few makes `JSON.parse`
 * take it, or none does.
 */
function canGoOn(prefix: string): boolean {
  const bare = prefix.replaceAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)/g, '');
  const closers: string[] = [];
  for (const character of bare) {
    if (character === '{') closers.push('}');
    else if (character === '[') closers.push(']');
    else if (character === '}' || character === ']') closers.pop();
  }
  const close = closers.reverse().join('');
  const tokens = [
    '',
    '"',
    'n"',
    '0"',
    '00"',
    '000"',
    '0000"',
    '0',
    'rue',
    'ue',
    'e',
    'alse',
    'lse',
    'se',
    'ull',
    'll',
    'l',
  ];
  for (const token of tokens) {
    for (const middle of ['', ':0', '0', '"":0']) {
      try {
        JSON.parse(prefix + token + middle + close);
        return true;
      } catch {
        // Not this ending.
      }
    }
  }
  return false;
}

test('random pieces of random texts give what JSON.parse gives', () => {
  const random = seededRandom(seed('random pieces'));
  for (let left = rounds(100_000); left > 0;) {
    let text = pick(random, spaces) + randomText(random, 4) + pick(random, spaces);
    // Most random texts are short: these are put together to longer ones.
    if (random() < 0.8) text = `[${text},{"k":${randomText(random, 4)}},${randomText(random, 3)},${text}]`;
    const pieces = randomPieces(random, text);
    left -= pieces.length;
    const reader = new JsonReader();
    for (const piece of pieces) {
      reader.push(piece);
      void reader.current;
    }
    const wanted: unknown = JSON.parse(text);
    const value = reader.end();
    // JSON.stringify sees the order of keys, deepStrictEqual sees -0 and own `__proto__`.
    if (JSON.stringify(value) !== JSON.stringify(wanted)) assert.deepEqual(value, wanted, text);
    assert.deepStrictEqual(value, wanted, text);
  }
});

test('a text is refused at the first character with which it cannot go on', () => {
  const random = seededRandom(seed('earliest refusal'));
  let refused = 0;
  for (let left = rounds(1_500); left > 0; left--) {
    let text = broken(random, randomText(random, 3));
    if (random() < 0.3) text = broken(random, text);
    const reader = new JsonReader();
    let offset: number | undefined;
    try {
      for (const piece of randomPieces(random, text)) reader.push(piece);
    } catch (error) {
      assert(isWhetstoneError(error) && error.code === 'json_syntax', String(error));
      offset = error.details['offset'] as number;
      const before = text.slice(0, offset);
      assert.equal(error.details['line'], before.split('\n').length);
      assert.equal(error.details['column'], offset - before.lastIndexOf('\n'));
    }
    if (offset === undefined) {
      assert(canGoOn(text), `${JSON.stringify(text)} was not refused`);
      let native: unknown;
      try {
        native = [JSON.parse(text)];
      } catch {
        assert.throws(() => reader.end(), { code: 'json_incomplete' });
        continue;
      }
      assert.deepStrictEqual([reader.end()], native);
    } else {
      refused++;
      assert(canGoOn(text.slice(0, offset)), `${JSON.stringify(text)} was refused too late, at ${offset}`);
      assert(
        !canGoOn(text.slice(0, offset + 1)),
        `${JSON.stringify(text)} was refused too early, at ${offset}`,
      );
    }
  }
  assert(refused > 0);
});

/** Is `part` a beginning of `whole`: fewer members, shorter strings, only at the end that is still open? */
function isBeginning(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true;
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole))
    return false;
  const inner = whole as Record<string, unknown>;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(inner, key) && isBeginning(value, inner[key]),
  );
}

test('the snapshot of every prefix is a beginning of the value, equals the live view, and never changes', () => {
  const random = seededRandom(seed('snapshots'));
  for (let left = rounds(200); left > 0; left--) {
    const text = randomText(random, 4, true);
    const whole: unknown = JSON.parse(text);
    const reader = new JsonReader();
    const taken: [snapshot: unknown, print: string | undefined][] = [];
    for (const piece of randomPieces(random, text)) {
      reader.push(piece);
      if (random() < 0.5) void reader.current;
      const snapshot = reader.snapshot();
      assert.deepStrictEqual(snapshot, reader.current, text);
      assert(isBeginning(snapshot, whole), `${JSON.stringify(snapshot)} of ${text}`);
      taken.push([snapshot, JSON.stringify(snapshot)]);
    }
    reader.end();
    for (const [snapshot, print] of taken) assert.equal(JSON.stringify(snapshot), print, text);
  }
});

/** Builds the value from what was told, and checks that the pieces of each string are the string. */
function rebuild(events: readonly JsonEvent[]): unknown {
  const root: { value?: unknown } = {};
  const texts = new Map<string, string>();
  const put = (path: readonly (string | number)[], value: unknown): void => {
    let holder: Record<string | number, unknown> = root as Record<string, unknown>;
    let name: string | number = 'value';
    for (const key of path) {
      holder = holder[name] as Record<string | number, unknown>;
      name = key;
    }
    Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
  };
  for (const event of events) {
    const place = JSON.stringify(event.path);
    if (event.type === 'open') put(event.path, event.kind === 'array' ? [] : {});
    else if (event.type === 'text') {
      assert(event.text.length > 0);
      texts.set(place, (texts.get(place) ?? '') + event.text);
    } else if (event.type === 'value') {
      if (typeof event.value === 'string') assert.equal(texts.get(place) ?? '', event.value);
      texts.delete(place);
      if (typeof event.value !== 'object' || event.value === null) put(event.path, event.value);
    }
  }
  return root.value;
}

test('what is told is enough to build the value', () => {
  const random = seededRandom(seed('events'));
  for (let left = rounds(200); left > 0; left--) {
    const text = randomText(random, 4);
    const events: JsonEvent[] = [];
    const reader = new JsonReader({ onEvent: (event) => void events.push(event) });
    for (const piece of randomPieces(random, text)) reader.push(piece);
    const value: ExactJson = reader.end();
    assert.deepStrictEqual(rebuild(events), value, text);
  }
});

/** All values whose path matches, inner ones first: the order in which they are complete. */
function matching(whole: unknown, steps: readonly unknown[]): unknown[] {
  if (steps.length === 0) return [whole];
  if (typeof whole !== 'object' || whole === null) return [];
  const [step, ...rest] = steps;
  return Object.entries(whole)
    .filter(([key]) => step === anyKey || key === String(step))
    .flatMap(([, child]) => matching(child, rest));
}

test('a path is told every value at that place, and the pieces of every string', () => {
  const random = seededRandom(seed('paths'));
  let told = 0;
  for (let left = rounds(200); left > 0; left--) {
    // Keys that look like indices are moved to the front by JavaScript: no order to compare with.
    const text = randomText(random, 4, true).replaceAll(/"(?:\\u0030|\\u0031|\\u0032|[0-2])+"\s*:/g, '"k":');
    const whole: unknown = JSON.parse(text);
    const steps = Array.from({ length: Math.floor(random() * 4) }, () =>
      pick(random, [anyKey, anyKey, 'a', 'name', '', '__proto__', 0, 1] as const),
    );
    const values: unknown[] = [];
    const texts: string[] = [];
    const reader = new JsonReader();
    reader.on(steps, (event) => {
      if (event.type === 'text') texts.push(event.text);
      else values.push(event.value);
    });
    for (const piece of randomPieces(random, text)) reader.push(piece);
    reader.end();
    const expected = matching(whole, steps);
    told += expected.length;
    if (hasTwoAlike(text)) continue;
    assert.deepStrictEqual(values, expected, text);
    assert.equal(texts.join(''), expected.filter((value) => typeof value === 'string').join(''));
  }
  assert(told > 0);
});

function hasTwoAlike(text: string): boolean {
  let twice = false;
  parseJson(text, { onDuplicate: () => (twice = true) });
  return twice;
}

test('bytes cut anywhere give what the text gives', () => {
  const random = seededRandom(seed('bytes'));
  for (let left = rounds(300); left > 0; left--) {
    const text = randomText(random, 3);
    const bytes = new TextEncoder().encode(text);
    const door = new JsonBytes(new JsonReader());
    for (let at = 0; at < bytes.length;) {
      const size = Math.floor(random() * 5);
      door.push(bytes.subarray(at, at + size));
      at += size;
    }
    assert.deepStrictEqual(door.end(), JSON.parse(new TextDecoder().decode(bytes)));
  }
});

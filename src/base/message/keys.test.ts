import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/rounds.ts';
import { WhetstoneError } from '../host/errors.ts';
import { keyAliases, keySpellings, modifierKeys } from './key-names.ts';
import {
  canonicalKey,
  isModifier,
  readChord,
  readKeySequence,
  readKeys,
  writeChord,
  writeKeys,
} from './keys.ts';
import type { KeyDialect } from './keys.ts';

test('a key has one name, however it was spelled', () => {
  const spelled: Readonly<Record<string, readonly string[]>> = {
    Enter: ['Return', 'ENTER', 'kp_enter', ' enter ', '\n'],
    Escape: ['esc', 'Escape'],
    PageUp: ['Prior', 'page_up', 'pgup', 'PAGEUP', 'Page Up'],
    PageDown: ['Next', 'Page_Down', 'pgdn'],
    ArrowUp: ['Up', 'ARROWUP', 'arrow_up'],
    Control: ['ctrl', 'Control_L', 'control_r', 'CTRL'],
    Alt: ['option', 'alt_l', 'ALT'],
    Shift: ['shift_l', 'SHIFT'],
    Meta: ['cmd', 'Command', 'super', 'Super_L', 'win', 'windows', 'META'],
    ' ': ['space', 'SPACE', ' '],
    Delete: ['del', 'Delete'],
    Tab: ['tab', '\t'],
    F1: ['f1', 'F1'],
    F12: ['f12'],
    '+': ['plus', 'add', '+'],
    '-': ['minus', 'subtract', '-'],
    '=': ['equal', 'equals', '='],
    ';': ['semicolon'],
    '0': ['KP_0', '0'],
    '[': ['bracketleft'],
    A: ['A'],
    a: ['a'],
  };
  for (const [key, tokens] of Object.entries(spelled)) {
    for (const token of tokens) assert.equal(canonicalKey(token), key, token);
  }
});

test('a slash is the slash, not the key of the numeric pad', () => {
  assert.deepEqual(writeKeys(['/'], 'playwright'), ['/']);
  assert.deepEqual(writeKeys(['/'], 'openai'), ['/']);
});

test('a key that nobody knows passes through', () => {
  assert.equal(canonicalKey('XF86Calculator'), 'XF86Calculator');
  assert.deepEqual(writeKeys(['XF86Calculator'], 'gemini'), ['XF86Calculator']);
  assert.equal(canonicalKey('F25'), 'F25');
  assert.equal(canonicalKey('é'), 'é');
});

test('a chord is split only between keys', () => {
  assert.deepEqual(readChord('ctrl+shift+t'), ['Control', 'Shift', 't']);
  assert.deepEqual(readChord('ctrl++'), ['Control', '+']);
  assert.deepEqual(readChord('ctrl+'), ['Control', '+']);
  assert.deepEqual(readChord('+'), ['+']);
  assert.deepEqual(readChord('ctrl+plus'), ['Control', '+']);
  assert.deepEqual(readChord('ctrl+-'), ['Control', '-']);
  assert.deepEqual(readChord('alt+F4'), ['Alt', 'F4']);
  assert.deepEqual(readChord(' '), [' ']);
});

test('modifiers come first, each key once', () => {
  assert.deepEqual(readKeys(['a', 'SHIFT', 'CTRL']), ['Control', 'Shift', 'a']);
  assert.deepEqual(readKeys(['ctrl', 'Control_L', 'c']), ['Control', 'c']);
});

test('a letter is lower-case beside a modifier, and as written alone or with Shift', () => {
  assert.deepEqual(readKeys(['CTRL', 'L']), ['Control', 'l']);
  assert.deepEqual(readKeys(['A']), ['A']);
  assert.deepEqual(readKeys(['SHIFT', 'A']), ['Shift', 'A']);
  assert.deepEqual(readChord('Control+A'), ['Control', 'a']);
});

test('a list is one chord, also where an entry holds a chord of its own', () => {
  assert.deepEqual(readKeys(['ctrl+a']), ['Control', 'a']);
  assert.deepEqual(readKeys(['+']), ['+']);
  assert.deepEqual(readKeys(['CTRL', '+']), ['Control', '+']);
});

test('spaces in the text of xdotool separate key presses', () => {
  assert.deepEqual(readKeySequence('ctrl+a Delete'), [['Control', 'a'], ['Delete']]);
  assert.deepEqual(readKeySequence('Down Down Return'), [['ArrowDown'], ['ArrowDown'], ['Enter']]);
  assert.deepEqual(readKeySequence('ctrl + a'), [['Control', 'a']]);
  assert.deepEqual(readKeySequence(' '), [[' ']]);
});

test('each provider gets its own spelling', () => {
  const written: readonly (readonly [KeyDialect, readonly string[], string])[] = [
    ['xdotool', ['Control', 'ArrowLeft'], 'ctrl+Left'],
    ['xdotool', ['Meta', 'Enter'], 'super+Return'],
    ['xdotool', ['Control', '+'], 'ctrl+plus'],
    ['openai', ['Control', 'Shift', 't'], 'CTRL+SHIFT+t'],
    ['openai', ['Escape'], 'ESC'],
    ['gemini', ['Control', 'PageUp'], 'control+pageup'],
    ['gemini', ['Meta', ' '], 'command+space'],
    ['gemini-combination', ['Control', 'a'], 'Control+A'],
    ['gemini-combination', ['a'], 'a'],
    ['ui-tars', ['Control', 'c'], 'ctrl c'],
    ['qwen', ['Meta', 'ArrowUp'], 'win+up'],
    ['playwright', ['Control', ' '], 'Control+Space'],
  ];
  for (const [dialect, keys, text] of written) assert.equal(writeChord(keys, dialect), text);
});

test('a key that is not text, or is empty, is refused with keys_invalid', () => {
  const refused: readonly (() => unknown)[] = [
    () => canonicalKey(''),
    () => canonicalKey(3 as never),
    () => readKeys([]),
    () => readKeys(null as never),
    () => readKeys(['ctrl', '']),
    () => readChord(''),
    () => readKeySequence(''),
  ];
  for (const each of refused) {
    assert.throws(each, (error) => error instanceof WhetstoneError && error.code === 'keys_invalid');
  }
});

const dialects = Object.keys(keySpellings) as KeyDialect[];
const plainKeys = [...new Set(keyAliases.values())].filter((key) => !isModifier(key) && !/^[A-Z]$/.test(key));

test('what a provider is told reads back as the same chord', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...dialects),
      fc.uniqueArray(fc.constantFrom(...modifierKeys.slice(1))),
      fc.constantFrom(...plainKeys, 'a', 'z', '7', 'F5'),
      (dialect, modifiers, key) => {
        const chord = readKeys([...modifiers, key]);
        assert.deepEqual(readKeys(writeKeys(chord, dialect)), chord);
        const text = writeChord(chord, dialect);
        const back = keySpellings[dialect].joint === ' ' ? readKeys(text.split(' ')) : readChord(text);
        const shifted = dialect === 'gemini-combination' && chord.includes('Shift');
        assert.deepEqual(
          shifted ? back.map((each) => each.toLowerCase()) : back,
          shifted ? chord.map((each) => each.toLowerCase()) : chord,
        );
      },
    ),
    { numRuns: rounds(2000), seed: seed('chords') },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fit, harmless, widthOf, wrapped } from './terminal-text.ts';
import { WordWrap } from './word-wrap.ts';

test('text is wrapped between words, and a word that is too long stands alone', () => {
  assert.equal(
    wrapped('one two three wonderfullylongword\nfour', { columns: 10, indent: '  ', first: '- ' }),
    '- one two\n  three\n  wonderfullylongword\n  four',
  );
  assert.equal(wrapped('日本 日本', { columns: 6 }), '日本\n日本');
});

test('measures a text in columns: wide letters and pictures take two, marks that join take none', () => {
  const widths = { abc: 3, 東京: 4, é: 1, '👩‍👩‍👧': 2, 한글: 4, '✓': 1, '': 0 };
  for (const [text, width] of Object.entries(widths)) assert.equal(widthOf(text), width, text);
});

test('cuts a text to columns at its end or its start, and never through a letter', () => {
  assert.equal(fit('short\n text', 20), 'short text');
  assert.equal(fit('abcdef', 4), 'abc…');
  assert.equal(fit('abcdef', 4, 'end'), '…def');
  assert.equal(fit('東京東京', 6), '東京…');
  assert.equal(fit('東京東京', 4, 'end'), '…京');
});

test('shows commands to the terminal as signs', () => {
  assert.equal(harmless('a\u001b[2Jb\u0007\u009b1m\tc\r\nd\re'), 'a␛[2Jb␇\ufffd1m\tc\nd␍e');
});

test('words that come in pieces are broken as they would be at once', () => {
  const text = 'one two three  wonderfullylongword four\nfive 日本 six seven';
  for (let size = 1; size < text.length; size++) {
    const wrap = new WordWrap(10);
    let out = '';
    for (let at = 0; at < text.length; at += size) out += wrap.add(text.slice(at, at + size));
    out += wrap.end();
    assert.equal(out, 'one two\nthree\nwonderfullylongword\nfour\nfive 日本\nsix seven');
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { seed } from '../../../test/rounds.ts';
import { callIds, toolNames } from './name.ts';
import type { NameRules } from './name.ts';

const legalName: Readonly<Record<NameRules, RegExp>> = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
  bedrock: /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/,
  mistral: /^[a-zA-Z0-9_-]{1,64}$/,
  cohere: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  ollama: /^[a-zA-Z0-9_-]{1,64}$/,
};
const legalId: Readonly<Record<NameRules, RegExp>> = {
  openai: /^[^]{1,40}$/,
  anthropic: /^[a-zA-Z0-9_-]+$/,
  gemini: /^[^]+$/,
  bedrock: /^[a-zA-Z0-9_-]{1,64}$/,
  mistral: /^[a-zA-Z0-9]{9}$/,
  cohere: /^[^]+$/,
  ollama: /^[^]+$/,
};
const allRules = Object.keys(legalName) as readonly NameRules[];

test('a legal name stays, another becomes legal and comes back', () => {
  const map = toolNames(['search', 'github.list/issues', 'x'.repeat(70), '', 'a b', 'a_b'], 'openai');
  assert.equal(map.toWire('search'), 'search');
  assert.match(map.toWire('github.list/issues'), /^github_list_issues_[0-9a-f]{8}$/);
  assert.equal(map.fromWire(map.toWire('x'.repeat(70))), 'x'.repeat(70));
  assert.notEqual(map.toWire('a b'), map.toWire('a_b'));
  assert.equal(map.fromWire('made_up'), 'made_up');
});

test('every set of names maps one to one onto names that each provider takes', () => {
  const name = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[a-c._ :-]{0,4}$/),
    fc.string({ minLength: 60, maxLength: 140 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), fc.constantFrom(...allRules), (names, rules) => {
      const map = toolNames(names, rules);
      const wires = names.map(map.toWire);
      assert.equal(new Set(wires).size, names.length);
      for (const wire of wires) assert.match(wire, legalName[rules]);
      assert.deepEqual(wires.map(map.fromWire), names);
    }),
    { seed: seed('tool names') },
  );
});

test('a name that the provider keeps for itself is given another form', () => {
  const map = toolNames(['computer', 'search'], 'anthropic', { reserved: ['computer'] });
  assert.match(map.toWire('computer'), /^computer_[0-9a-f]{8}$/);
  assert.equal(map.fromWire(map.toWire('computer')), 'computer');
});

test('two tools of one name are refused', () => {
  assert.throws(() => toolNames(['a', 'b', 'a'], 'openai'), { code: 'tool_name_taken', message: /"a"/ });
});

test('a prefix that Gemini puts before a declared name is taken off, and only then', () => {
  const map = toolNames(['search', 'web:search'], 'gemini');
  assert.equal(map.fromWire('default_api:search'), 'search');
  assert.equal(map.fromWire('web:search'), 'web:search');
  assert.equal(map.fromWire('default_api:other'), 'default_api:other');
});

test('call ids map one to one, and stay the same as a history grows', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { maxLength: 20 }),
      fc.constantFrom(...allRules),
      (ids, rules) => {
        const map = callIds(rules);
        const wires = ids.map(map.toWire);
        assert.equal(new Set(wires).size, ids.length);
        for (const wire of wires) assert.match(wire, legalId[rules]);
        assert.deepEqual(wires.map(map.fromWire), ids);
        const longer = callIds(rules);
        assert.deepEqual([...ids, 'one more'].map(longer.toWire).slice(0, ids.length), wires);
      },
    ),
    { seed: seed('call ids') },
  );
});

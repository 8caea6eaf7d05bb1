import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { bundledCatalog } from '../../server/testing/test-server.ts';
import { actionBook } from './offer.ts';
import { plainSchema, readInput } from './plain-schema.ts';

/** As schema libraries write it: what is shared by reference, what may be null as a list of types or as a choice. */
const written: JsonObject = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    severity: { $ref: '#/$defs/Severity', description: 'How bad it is.' },
    pounds: { type: ['number', 'null'] },
    unit: { type: ['string', 'null'], enum: ['lb', 'kg', null] },
    days: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    person: { allOf: [{ $ref: '#/$defs/Person' }, { required: ['phone'] }] },
    parts: { type: 'array', items: { $ref: '#/$defs/Part' } },
    notes: { type: 'object', additionalProperties: { $ref: '#/$defs/Severity' } },
  },
  required: ['title', 'severity'],
  $defs: {
    Severity: { enum: ['mild', 'severe'], title: 'Severity' },
    Person: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    Part: {
      type: 'object',
      properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#/$defs/Part' } } },
    },
  },
};

test('a schema is written out plainly, with one type in each place', () => {
  const severity = { enum: ['mild', 'severe'], type: 'string' };
  assert.deepEqual(plainSchema(written), {
    type: 'object',
    properties: {
      title_: { type: 'string' },
      severity: { ...severity, description: 'How bad it is.' },
      pounds: { type: 'number' },
      unit: { type: 'string', enum: ['lb', 'kg'] },
      days: { type: 'integer' },
      person: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name', 'phone'],
      },
      parts: {
        type: 'array',
        items: {
          type: 'object',
          // A part of a part is not written out again.
          properties: { name: { type: 'string' }, parts: { type: 'array', items: {} } },
        },
      },
      notes: { type: 'object', additionalProperties: severity },
    },
    required: ['title_', 'severity'],
  });
});

test('an input is read back through references, and null is kept where the schema has it', () => {
  const input = {
    title_: 'Report',
    severity: 'mild',
    pounds: null,
    unit: null,
    days: null,
    person: null,
    parts: [{ name: 'a', parts: null }],
  };
  assert.deepEqual(readInput(written, input), {
    title: 'Report',
    severity: 'mild',
    pounds: null,
    unit: null,
    days: null,
    parts: [{ name: 'a' }],
  });
});

test('a description spells out the options that a reference leads to', () => {
  const task = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));
  const [tool] = task.tools;
  assert.ok(tool !== undefined);
  const offers = actionBook({
    ...task,
    tools: [{ ...tool, mode: 'json_schema', json_schema: written }],
  }).offers;
  assert.match(
    offers[1]?.description ?? '',
    /title_ \(string\); severity \(one of mild, severe\); pounds \(number, opt/,
  );
});

test('fields are called by names that a function of Python may have, and read back by their own', () => {
  const fields = ['from', 'work-days', '2nd', 'self', 'default', 'title', 'title_', 'über', 'plain'];
  const schema: JsonObject = {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
      inner: { type: 'object', properties: { from: { type: 'string' }, example: { type: 'string' } } },
    },
    required: ['from', 'plain'],
  };
  const plain = plainSchema(schema);
  const names = Object.keys(plain['properties'] as JsonObject);
  assert.deepEqual(names, [
    ...[
      'from_',
      'work_days',
      'field_2nd',
      'self_2',
      'default_',
      'title__2',
      'title_',
      'field__ber',
      'plain',
      'inner',
    ],
  ]);
  assert.deepEqual(plain['required'], ['from_', 'plain']);
  const inner = { from: 'a', example_: 'b' };
  const input = { ...Object.fromEntries(names.slice(0, -1).map((name) => [name, name])), inner };
  assert.deepEqual(readInput(schema, input), {
    ...Object.fromEntries(fields.map((own, index) => [own, names[index]])),
    inner: { from: 'a', example: 'b' },
  });
});

test('fields are read back by their own names wherever they are written out', () => {
  const note: JsonObject = { type: 'object', properties: { title: { type: 'string' } } };
  const schema: JsonObject = {
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [{ type: 'string' }, note], items: note },
      notes: { type: 'object', additionalProperties: note },
    },
  };
  const own = { pair: ['a', { title: 'b' }, { title: 'c' }], notes: { title: { title: 'd' } } };
  const input = { pair: ['a', { title_: 'b' }, { title_: 'c' }], notes: { title: { title_: 'd' } } };
  assert.deepEqual(readInput(schema, input), own);
});

test('a tool has no name that a client of its own has', () => {
  const task = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));
  const [tool] = task.tools;
  assert.ok(tool !== undefined);
  const tools = ['reset', 'reward', '_look', 'say', 'class', 'a-b'].map((id) => ({ ...tool, id }));
  const { offers, callOf } = actionBook({ ...task, tools });
  const names = offers.map(({ name }) => name);
  assert.deepEqual(names, ['say', 'reset_2', 'reward_2', 'tool__look', 'say_2', 'class_', 'a_b', 'finish']);
  assert.equal(callOf('reset_2', {})?.name, 'reset');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../../../base/json/value.ts';
import { findScenario } from '../../../grade/scenario/catalog.ts';
import { taskOf } from '../../../grade/scenario/task-of.ts';
import { bundledCatalog } from '../testing/test-server.ts';
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
  const task = taskOf(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));
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

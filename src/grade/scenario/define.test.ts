import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isDefined, scenario } from './define.ts';

const head = {
  name: 'A case',
  version: '1',
  description: 'A case.',
  canary: 'c',
  briefing: 'Decide.',
} as const;
const tools = [
  { id: 'count', type: 'function', steps: [] },
  { id: 'verdict', type: 'decision', options: ['yes', 'no'] },
] as const;
const facts = [{ id: 'day' }, { id: 'place' }] as const;
const expect = [{ call: 'verdict' }] as const;
const shared = { ...head, tools, facts, expect };

test('names of tools and facts are known in the sessions of a journey', () => {
  const journey = scenario({
    ...shared,
    sessions: [
      { ends: ['count'], turns: 3 },
      {
        ends: '${case.ends}',
        opens: [{ if: { found: ['day'], missed: '${case.facts}', not_called: 'count' }, says: 'Again.' }],
        sets: [{ if: { called: 'verdict', value: 'yes', world: { n: 1 } }, set: { n: 2 } }],
      },
      // @ts-expect-error -- There is no such tool.
      { ends: ['cuont'] },
      // @ts-expect-error -- There is no such fact.
      { opens: [{ if: { found: ['dya'] }, says: 'Again.' }] },
      // @ts-expect-error -- There is no such member.
      { opens: [{ if: { fuond: ['day'] }, says: 'Again.' }] },
      // @ts-expect-error -- There is no such tool.
      { sets: [{ if: { not_called: 'cuont' }, set: {} }] },
    ],
  });
  assert.ok(isDefined(journey));
});

test('so are they in the criteria, however deep a condition is', () => {
  const judged = scenario({
    ...shared,
    criteria: {
      success: [
        { id: 'a', text: 'A.', required: true, check: { called: 'verdict', input: { value: 'yes' } } },
      ],
      failure: [
        { id: 'b', text: 'B.', fatal: true, check: { all: [{ found: ['day'] }, { not: { said: 'x' } }] } },
      ],
      best_practices: [{ id: 'c', text: 'C.', judge: { prompt: 'Was it kind?', votes: 3, agreement: 0.8 } }],
      rubrics: [
        {
          id: 'd',
          text: 'D.',
          levels: [{ label: 'good', score: 1, check: { courtesy: ['thanks', 'asksToBegin'] } }],
        },
      ],
      scope: [{ id: 'e', text: 'E.', kind: 'must_refer', check: { wrote: 'x' }, when_found: ['place'] }],
      terminology: [{ id: 'f', avoid: ['claimee'], instead: 'claimant' }],
    },
  });
  assert.ok(isDefined(judged));
  scenario({
    ...shared,
    criteria: {
      // @ts-expect-error -- There is no such tool.
      success: [{ id: 'a', text: 'A.', check: { called: 'verdikt' } }],
      // @ts-expect-error -- There is no such fact.
      failure: [{ id: 'b', text: 'B.', check: { all: [{ any: [{ not: { found: ['dya'] } }] }] } }],
      // @ts-expect-error -- There is no such courtesy.
      best_practices: [{ id: 'c', text: 'C.', check: { courtesy: ['thank'] } }],
      // @ts-expect-error -- There is no such fact.
      scope: [{ id: 'e', text: 'E.', check: { wrote: 'x' }, when_found: ['plaec'] }],
      // @ts-expect-error -- Its levels have checks; it has none.
      rubrics: [{ id: 'd', text: 'D.', check: { wrote: 'x' } }],
    },
  });
});

import { fileURLToPath } from 'node:url';

import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { buildTask } from '../../scenario/build-task.ts';
import { loadCatalog, type Catalog } from '../../scenario/load/catalog.ts';
import { changedScenario } from '../../scenario/scenario.ts';
import type { ReadScenario } from '../../scenario/load/read-scenario.ts';
import type { Scenario } from '../../scenario/scenario.ts';

const everything = loadCatalog(fileURLToPath(new URL('../../../../scenarios', import.meta.url)));

/** The bundled scenarios, but for those that need a browser. */
export const bundledCatalog: Catalog = {
  ...everything,
  collections: everything.collections.filter(({ scenarios }) =>
    scenarios.every((scenario) => buildTask(scenario).page === undefined),
  ),
};

/** Every second of them, from the first or from the second on. */
export function halfOfBundled(from: number): Catalog {
  return {
    ...bundledCatalog,
    collections: bundledCatalog.collections.map((collection) => ({
      ...collection,
      scenarios: collection.scenarios.filter((_, place) => place % 2 === from % 2),
    })),
  };
}

/** The bundled scenarios, with the lumbar strain's template changed. */
export function changedCatalog(change: (template: JsonObject) => JsonObject): Catalog {
  const changed = (scenario: Scenario): Scenario =>
    scenario.slug === 'lumbar-strain'
      ? changedScenario(scenario, { template: { ...scenario.template, ...change(scenario.template) } })
      : scenario;
  return {
    ...bundledCatalog,
    collections: bundledCatalog.collections.map((collection) => {
      const scenarios = collection.scenarios.map(changed);
      const read = (wanted: string): ReadScenario => ({
        scenario: scenarios.find(({ slug }) => slug === wanted)!,
        faults: [],
      });
      return { ...collection, scenarios, read };
    }),
  };
}

/** With criteria that only a model can judge. */
export function judgedCatalog(change: (criteria: typeof judgedCriteria) => JsonObject = same): Catalog {
  return changedCatalog(({ criteria }) => ({
    criteria: { ...(criteria as JsonObject), ...change(judgedCriteria) },
  }));
}

const same = (criteria: typeof judgedCriteria): JsonObject => criteria;

const measured = { votes: 3, model: 'openai/judge', agreement: 0.8 };

const judgedCriteria = {
  success: [
    {
      id: 'plain',
      text: 'Tells the decision in plain words.',
      judge: { prompt: 'Would a layman know how the claim was decided?', ...measured },
    },
  ],
  failure: [
    {
      id: 'cold',
      text: 'Is cold to the claimant.',
      penalty: 0.3,
      judge: { prompt: 'Does the operator belittle the pain?', ...measured, votes: 1 },
    },
  ],
  best_practices: [{ id: 'calm', text: 'Stays calm.', judge: { prompt: 'Does it stay calm?', votes: 1 } }],
  rubrics: [
    {
      id: 'order',
      text: 'Asks in a good order.',
      levels: [
        { label: 'none', score: 0, description: 'jumps about' },
        { label: 'fair', score: 1, description: 'mostly in order' },
        { label: 'good', score: 2, description: 'from the event to its treatment' },
      ],
      judge: { prompt: 'How well does one question lead to the next?', ...measured, votes: 1 },
    },
  ],
} satisfies JsonObject;

/** A judge's answer to whichever criterion is asked for, as a scripted provider gives it. */
export function answerOf(question: string, wanted: Readonly<Record<string, JsonValue>> = {}): string {
  const point = /^The point(?:, a failure)?: (\w+)/m.exec(question)?.[1] ?? '';
  const answers: Readonly<Record<string, JsonObject>> = {
    Tells: { reason: 'It says so.', turn: 6, holds: wanted['plain'] ?? true },
    Is: { reason: 'It is kind.', turn: 0, holds: wanted['cold'] ?? false },
    Stays: { reason: 'No word is loud.', turn: 0, holds: wanted['calm'] ?? true },
    Asks: { reason: 'One leads to the next.', turn: 2, level: wanted['order'] ?? 'good' },
  };
  return JSON.stringify(answers[point]);
}

import type { JsonObject } from '../../../base/json/value.ts';

const terminal_reason: JsonObject = {
  type: 'string',
  description:
    'At the end: completed, max_turns_reached, client_terminated, or error, when the world failed.',
};
const grade: JsonObject = {
  type: 'object',
  description:
    'At the end: the numbers of the grade, with not_judged and person_fault where something other than the model is to blame.',
};

export const observationSchema: JsonObject = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What the person says.' },
    tools: { type: 'array', description: 'After a reset: what can be called.', items: { type: 'object' } },
    results: { type: 'array', description: 'What called tools answered.', items: { type: 'object' } },
    error: { type: ['object', 'null'], description: 'What was called wrongly, and cost no turn.' },
    episode_id: { type: 'string' },
    terminal_reason,
    grade,
  },
};

export const stateSchema: JsonObject = {
  type: 'object',
  properties: {
    episode_id: { type: ['string', 'null'] },
    step_count: { type: 'integer', minimum: 0 },
    terminal_reason,
    grade,
  },
  required: ['episode_id', 'step_count'],
};

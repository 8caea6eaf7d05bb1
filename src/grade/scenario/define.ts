import type { JsonObject } from '../../base/json/value.ts';
import type { ScenarioDefinition, ToolDefinition } from './scenario-definition.ts';

const mark = Symbol.for('whetstone.scenario');

/** A scenario that was written in TypeScript: what `scenario()` gives, and a `scenario.ts` exports. */
export interface DefinedScenario {
  readonly written: object;
}

/**
 * Writes a scenario in TypeScript: the same members as `scenario.yaml`, with the names of tools and facts checked by
 * the editor. `code` holds the function tools; `paths` and `questions` may be here or in their YAML files.
 *
 * @example
 * export default scenario({ name: 'Refund', …, tools: [{ id: 'refund', type: 'function', … }], code: { refund: (world, input) => … } });
 */
export function scenario<
  const Tools extends readonly ToolDefinition[],
  World extends object = JsonObject,
  Fact extends string = never,
  Call extends string = never,
>(written: ScenarioDefinition<Tools, World, Fact, Call>): DefinedScenario {
  const defined = { written };
  Object.defineProperty(defined, mark, { value: true });
  return defined;
}

export function isDefined(value: unknown): value is DefinedScenario {
  return typeof value === 'object' && value !== null && mark in value;
}

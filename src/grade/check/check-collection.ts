import { canonicalJson } from '../../base/json/canonical.ts';
import type { Collection } from '../scenario/load/collection.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { SourceLocation } from '../scenario/diagnostic.ts';

/**
 * What only a look at the whole collection shows. Trainers bind the tools of a split's first task and keep them: within
 * a split, every scenario offers the same tools with the same schemas, in every variant.
 */
export function checkCollection(
  collection: Collection,
): readonly { readonly message: string; readonly place: SourceLocation }[] {
  const findings: { message: string; place: SourceLocation }[] = [];
  const named = new Map<string, string>();
  for (const [split, slugs] of Object.entries(collection.splits)) {
    const scenarios = slugs.flatMap((slug) => collection.scenarios.filter((one) => one.slug === slug));
    const [first] = scenarios;
    if (!first) continue;
    for (const scenario of scenarios) {
      const other = named.get(scenario.slug);
      if (other)
        findings.push({
          message: `"${scenario.slug}" is in the splits ${other} and ${split}. Keep it in one of them.`,
          place: scenario.source.locate([]),
        });
      named.set(scenario.slug, split);
      for (const message of [...toolDifferences(first, scenario), ...toolsThatVary(scenario)])
        findings.push({
          message: `In the split "${split}", ${message}`,
          place: scenario.source.locate(['tools']),
        });
    }
  }
  for (const scenario of collection.scenarios) {
    if (!named.has(scenario.slug))
      findings.push({
        message: `"${scenario.slug}" is in no split of collection.yaml. Add it to train, validation or test.`,
        place: scenario.source.locate([]),
      });
    const twin = collection.scenarios.find((one) => one !== scenario && one.canary === scenario.canary);
    if (twin)
      findings.push({
        message: `"${scenario.slug}" and "${twin.slug}" have the same canary; each needs its own.`,
        place: scenario.source.locate(['canary']),
      });
  }
  return findings;
}

/** So many variants are looked at: neighbours differ in every axis. */
const variantsSeen = 64;

/** What a variable makes of a tool's schema or options in one variant, and otherwise in another. */
function toolsThatVary(scenario: Scenario): readonly string[] {
  if (!JSON.stringify(scenario.template['tools']).includes('${')) return [];
  const wanted = shownIn(scenario, 0);
  for (let variant = 1; variant < Math.min(variantsSeen, scenario.variants); variant++) {
    const found = shownIn(scenario, variant);
    for (const [id, schema] of wanted)
      if (found.get(id) !== schema)
        return [
          `the tool "${id}" of "${scenario.slug}" has another schema in variant ${variant} than in variant 0.`,
        ];
  }
  return [];
}

/** What a trainer binds of each tool. */
function shownIn(scenario: Scenario, variant: number): ReadonlyMap<string, string> {
  return new Map(
    buildTask(scenario, variant).tools.map((tool) => [
      tool.id,
      canonicalJson(JSON.parse(JSON.stringify([tool.mode, tool.json_schema ?? null, tool.options ?? null]))),
    ]),
  );
}

function toolDifferences(first: Scenario, scenario: Scenario): readonly string[] {
  const wanted = shownIn(first, 0);
  const found = shownIn(scenario, 0);
  const differences: string[] = [];
  for (const [id, schema] of found) {
    if (!wanted.has(id))
      differences.push(`"${first.slug}" has no tool "${id}", which "${scenario.slug}" has.`);
    else if (wanted.get(id) !== schema)
      differences.push(`the tool "${id}" has another schema in "${scenario.slug}" than in "${first.slug}".`);
  }
  for (const id of wanted.keys())
    if (!found.has(id))
      differences.push(`"${scenario.slug}" has no tool "${id}", which "${first.slug}" has.`);
  return differences;
}

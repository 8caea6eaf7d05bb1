import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { startPlay } from './play.ts';
import { buildTask } from '../scenario/build-task.ts';
import { loadCatalog } from '../scenario/load/catalog.ts';
import { mannerNames } from '../scenario/manner.ts';
import { reply } from '../person/reply.ts';

const catalog = loadCatalog(fileURLToPath(new URL('../../../scenarios', import.meta.url)));

/** What agrees or denies, whatever it is said to. */
const judges =
  /^(?:well|oh|hm|mm-hm|okay|all right)?[,.… ]*(?:yes|yeah|yep|no|nope|sure|right|true|correct|exactly|indeed|absolutely|certainly|of course|all right|okay|fine|not at all|no problem|i (?:suppose|guess|think) (?:so|not)|i agree|that is (?:so|right|true))\b/i;

test('no line that a person falls back on agrees or denies', () => {
  const manners = JSON.parse(
    readFileSync(new URL('../person/data/lines.json', import.meta.url), 'utf8'),
  ) as Record<string, Record<string, readonly string[]>>;
  const lines = Object.values(manners).flatMap((manner) => Object.values(manner).flat());
  assert.deepEqual(
    lines.filter((line) => judges.test(line)),
    [],
  );
});

test('a fact that is turned round is neither affirmed nor denied, unless the fact itself is told', () => {
  let said = 0;
  const lies: string[] = [];
  for (const { scenarios } of catalog.collections)
    for (const scenario of scenarios) {
      const task = buildTask(scenario, 0);
      const { state } = startPlay(task);
      for (const { says } of task.facts)
        for (const statement of [
          `So it is not true that ${says}`,
          `It is the other way round: not ${says}`,
          `I have noted that none of this is so: ${says}`,
        ]) {
          const manner = mannerNames[said++ % mannerNames.length]!;
          const answered = reply(
            { ...task, person: { ...task.person, manner, lines: {} } },
            state,
            statement,
          );
          if (answered.told.length === 0 && judges.test(answered.says))
            lies.push(`${scenario.slug}, ${manner}: ${statement} ${answered.says}`);
        }
    }
  console.log(`${said} facts turned round, ${lies.length} affirmed or denied`);
  assert.deepEqual(lies, []);
});

import { writeFileSync } from 'node:fs';

import { published } from '../src/grade/scenario/format/published.ts';

/** Writes the published schemas anew: `node scripts/write-scenario-schemas.ts`. A test sees that they are current. */
for (const [name, schema] of Object.entries(published))
  writeFileSync(
    new URL(`../scenarios/${name}.schema.json`, import.meta.url),
    `${JSON.stringify(schema, undefined, 2)}\n`,
  );

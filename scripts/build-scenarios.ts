import { globSync } from 'node:fs';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

/**
 * Bundled scenarios and worlds in TypeScript as JavaScript beside them: Node strips no types under `node_modules`, where
 * a user has the package. Each file gets all that it imports, but for the package itself.
 */
export async function buildScenarios(root: string): Promise<void> {
  for (const file of globSync('scenarios/**/*.ts', { cwd: root })) {
    const bundle = await rolldown({
      input: join(root, file),
      platform: 'node',
      external: /^whetstone\//,
      treeshake: false,
    });
    await bundle.write({ file: join(root, file.replace(/\.ts$/, '.js')), format: 'esm', comments: false });
    await bundle.close();
  }
}

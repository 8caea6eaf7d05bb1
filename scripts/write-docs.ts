/** `npm run docs`: writes the pages that are made from the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Tree } from './checks/tree.ts';
import { apiPage } from './api-page.ts';
import { cliPage } from './cli-page.ts';
import { generatedPages } from './generated-pages.ts';

const tree = new Tree(fileURLToPath(new URL('..', import.meta.url)));
const pages = {
  ...generatedPages(tree),
  'docs/reference/api.md': apiPage(),
  'docs/reference/cli.md': await cliPage(),
};
for (const [file, text] of Object.entries(pages)) {
  if (tree.has(file) && tree.text(file) === text) continue;
  mkdirSync(dirname(join(tree.root, file)), { recursive: true });
  writeFileSync(join(tree.root, file), text);
  console.log(`written: ${file}`);
}

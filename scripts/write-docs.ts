/** `npm run docs`: writes the pages that are made from the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Tree } from './checks/tree.ts';
import { generatedPages } from './generated-pages.ts';

const tree = new Tree(fileURLToPath(new URL('..', import.meta.url)));
for (const [file, text] of Object.entries(generatedPages(tree))) {
  if (tree.has(file) && tree.text(file) === text) continue;
  mkdirSync(dirname(join(tree.root, file)), { recursive: true });
  writeFileSync(join(tree.root, file), text);
  console.log(`written: ${file}`);
}

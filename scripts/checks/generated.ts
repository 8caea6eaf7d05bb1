import { generatedPages } from '../generated-pages.ts';
import type { Check } from './tree.ts';

/** Pages that are written from the code say what the code says now. */
export const generated: Check = {
  name: 'generated pages',
  run(tree) {
    const pages = Object.entries(generatedPages(tree));
    const stale = pages.filter(([file, text]) => !tree.has(file) || tree.text(file) !== text);
    return {
      read: pages.length,
      faults: stale.map(([file]) => `${file} is not what the code says: run \`npm run docs\`.`),
    };
  },
};

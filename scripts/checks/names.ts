import { basename } from 'node:path';

import type { Check } from './tree.ts';

const emptyNames = /^(utils?|helpers?|common|misc)(\.|$)/;

/** A file is the thing it holds, and exports it by name. */
export const names: Check = {
  name: 'names',
  run(tree) {
    const faults: string[] = [];
    const files = tree.files.filter((file) =>
      /^(src|viewer|scripts|bench|test|examples)\/.*\.tsx?$/.test(file),
    );
    for (const file of files) {
      if (file.split('/').some((part) => emptyNames.test(part)))
        faults.push(`${file}: the name says nothing of what it holds.`);
      if (basename(file) === 'index.ts' && !isDoor(tree.text('package.json'), file)) {
        faults.push(`${file}: an index.ts is a door of the package, and package.json exports no such door.`);
      }
      if (/\.config\.ts$/.test(file)) continue; // Tools read their settings from a default export.
      for (const { entries } of tree.parse(file).module.staticExports) {
        if (entries.some((entry) => isDefault(entry.exportName)))
          faults.push(`${file}: a default export; export by name.`);
      }
    }
    return { read: files.length, faults };
  },
};

function isDoor(manifest: string, file: string): boolean {
  return manifest.includes(`"./${file}"`);
}

/** `export default x`, and `export { x as default }`. */
function isDefault({ kind, name }: { readonly kind: string; readonly name: string | null }): boolean {
  return kind === 'Default' || name === 'default';
}

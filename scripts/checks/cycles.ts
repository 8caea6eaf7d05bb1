import type { Check } from './tree.ts';

/** No file imports itself by a detour. Types may refer to each other: they are gone when the program runs. */
export const cycles: Check = {
  name: 'cycles',
  run(tree) {
    const files = tree.files.filter((file) => /^(src|viewer\/src|scripts|bench)\/.*\.tsx?$/.test(file));
    const known = new Set(files);
    const next = (file: string): string[] =>
      tree
        .localImports(file)
        .filter((found) => !found.onlyTypes && known.has(found.target))
        .map((found) => found.target);

    const faults: string[] = [];
    const state = new Map<string, 'open' | 'done'>();
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        faults.push([...path.slice(path.indexOf(file)), file].join(' → '));
        return;
      }
      state.set(file, 'open');
      for (const target of next(file)) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    return { read: files.length, faults };
  },
};

import type { Check } from './tree.ts';

const page = 'docs/design/dependencies.md';

/** Every dependency has its row, with reason and number; every row has its dependency; all are pinned exactly. */
export const dependencies: Check = {
  name: 'dependencies',
  run(tree) {
    const faults: string[] = [];
    const manifests = tree.files.filter((file) => /^((runtime|viewer|bench)\/)?package\.json$/.test(file));
    const used = new Set<string>();
    for (const file of manifests) {
      const manifest = JSON.parse(tree.text(file)) as Record<string, Record<string, string> | undefined>;
      for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
        for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
          if (!/^(npm:[\w@./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
            faults.push(`${file}: ${name} is not pinned exactly (${version}).`);
          // The peers of the benches are what we measure ourselves against, not what we rest on.
          if (!file.startsWith('bench/')) used.add(name);
        }
      }
    }
    const rows = tree.has(page)
      ? tree
          .text(page)
          .split('\n')
          .filter((line) => line.startsWith('| `'))
      : [];
    const explained = new Set(
      rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)),
    );
    for (const name of used) if (!explained.has(name)) faults.push(`${name} has no row in ${page}.`);
    for (const name of explained)
      if (!used.has(name)) faults.push(`${page} explains ${name}, which nothing depends on.`);
    for (const row of rows) {
      const cells = row.split('|').slice(1, -1);
      if (cells.length < 4 || cells.some((cell) => cell.trim() === ''))
        faults.push(`${page}: a cell is empty in “${row.slice(0, 60)}…”`);
    }
    return { read: manifests.length, faults };
  },
};

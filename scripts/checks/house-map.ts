import type { Check } from './tree.ts';

/** README's map names every folder that holds rooms or files of the house, and nothing that is not there. */
export const houseMap: Check = {
  name: 'map',
  run(tree) {
    if (!tree.has('README.md')) return { read: 0, faults: [] };
    const named = new Set(
      [...tree.text('README.md').matchAll(/^\| `([\w./-]+)\/?` \|/gm)].map((match) =>
        match[1]!.replace(/\/$/, ''),
      ),
    );
    const faults: string[] = [];
    const folders = new Set(tree.files.flatMap((file) => foldersToName(file)));
    for (const folder of folders) if (!named.has(folder)) faults.push(`${folder}/ is not in README’s map.`);
    for (const folder of named) {
      const there = tree.files.some((file) => file.startsWith(`${folder}/`));
      if (!there) faults.push(`README’s map names ${folder}/, which is not there.`);
    }
    return { read: named.size, faults };
  },
};

/** Rooms of the house (two levels below src/), and the folders at the top. */
function foldersToName(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  if (parts.length === 0 || file.startsWith('.')) return [];
  if (parts[0] !== 'src') return [parts[0]!];
  if (parts.length === 1) return [];
  if (parts[1] === 'wire' && parts[2] !== 'mock') return ['src/wire']; // One folder a provider, all alike.
  return [parts.slice(0, 3).join('/')];
}

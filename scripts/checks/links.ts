import { dirname, posix } from 'node:path';

import type { Check } from './tree.ts';

/** Every relative link in a page leads to a file, and to a heading where it names one. */
export const links: Check = {
  name: 'links',
  run(tree) {
    const faults: string[] = [];
    const pages = tree.files.filter((file) => file.endsWith('.md'));
    const folders = new Set(tree.files.flatMap((file) => foldersOf(file)));
    for (const page of pages) {
      const text = tree
        .text(page)
        .replaceAll(/```[\s\S]*?```/g, '')
        .replaceAll(/`[^`\n]*`/g, '');
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/i.test(target)) continue;
        const [path = '', heading] = target.split('#');
        const file =
          path === '' ? page : posix.normalize(posix.join(dirname(page), decodeURIComponent(path)));
        if (!tree.has(file) && !folders.has(file.replace(/\/$/, '')))
          faults.push(`${page}: the link ${target} leads nowhere.`);
        else if (heading && file.endsWith('.md') && !headings(tree.text(file)).has(heading)) {
          faults.push(`${page}: there is no heading for ${target}.`);
        }
      }
    }
    return { read: pages.length, faults };
  },
};

function headings(text: string): Set<string> {
  const lines = text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...lines].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return ['.', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

import { dirname, posix } from 'node:path';

import type { Tree } from './checks/tree.ts';

/** What a door of the package gives, as one line of the page. */
interface Exported {
  readonly name: string;
  readonly isType: boolean;
  /** The first sentence of its comment. */
  readonly says: string;
}

/** docs/reference/exports.md: what each door of the package exports, from the doors and the comments behind them. */
export function exportsPage(tree: Tree): string {
  const manifest = JSON.parse(tree.text('package.json')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | { readonly 'whetstone-source': string }>>;
  };
  const doors = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [{ specifier: posix.join(manifest.name, path), file: target['whetstone-source'].slice(2) }],
  );
  return `${[
    '# What the package exports',
    'Each thing has one door. Types that only describe what a function takes and gives are named at the end of their section; an editor shows their fields. Written by `npm run docs` from the comments of the code.',
    ...doors
      .filter(({ file }) => tree.has(file))
      .map(({ specifier, file }) => section(tree, specifier, file)),
  ].join('\n\n')}\n`;
}

function section(tree: Tree, specifier: string, file: string): string {
  const byName = new Map(exportsOf(tree, file).map((one) => [one.name, one]));
  const exported = [...byName.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const values = exported.filter(({ isType }) => !isType);
  const types = exported.filter(({ isType }) => isType).map(({ name }) => `\`${name}\``);
  const rows = values.map(({ name, says }) => `| \`${name}\` | ${says.replaceAll('|', '\\|')} |`);
  return [
    `## ${specifier}`,
    ...(rows.length > 0 ? [`| | |\n|---|---|\n${rows.join('\n')}`] : []),
    ...(types.length > 0 ? [`Types: ${types.join(', ')}.`] : []),
  ].join('\n\n');
}

function exportsOf(tree: Tree, file: string): readonly Exported[] {
  return tree
    .parse(file)
    .module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ exportName: { name }, isType }) =>
        name === null ? [] : [{ name, isType, says: sentenceOf(tree, file, name) }],
      ),
    );
}

/** The first sentence of the comment above what a file exports by this name, also where it only passes it on. */
function sentenceOf(tree: Tree, file: string, name: string): string {
  if (!tree.has(file)) return '';
  const declared = new RegExp(
    `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export (?:async |abstract )*(?:function|const|class)\\*? ${name}\\b`,
  ).exec(tree.text(file));
  if (declared) return firstSentence(declared[1]!);
  for (const { entries } of tree.parse(file).module.staticExports)
    for (const { exportName, importName, moduleRequest } of entries)
      if (exportName.name === name && moduleRequest) {
        const from = posix.normalize(posix.join(dirname(file), moduleRequest.value));
        return sentenceOf(tree, from, importName.name ?? name);
      }
  return '';
}

function firstSentence(comment: string): string {
  const text = comment
    .replaceAll(/^\s*\* ?/gm, '')
    .split(/^\s*@\w/m)[0]!
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (/^.*?[.:](?= [A-Z`]|$)/.exec(text)?.[0] ?? text).replace(/:$/, '.');
}

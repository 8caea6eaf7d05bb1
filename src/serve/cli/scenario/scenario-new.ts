import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { makeFolder } from '../../../base/host/make-folder.ts';
import { published } from '../../../grade/scenario/format/published.ts';
import { scenarioFile } from '../../../grade/scenario/load/read-scenario.ts';
import { newScenarioFiles } from './scenario-template.ts';

/** Writes a scenario that passes its check, its collection where there is none, and the formats for the editor beside it. */
export function createScenario(folder: string, { typescript }: { readonly typescript?: boolean }): void {
  const target = resolve(folder);
  const slug = basename(target);
  if (!/^[A-Za-z][\w-]*$/.test(slug))
    throw new WhetstoneError('usage', `"${slug}" cannot name a scenario. Use letters, digits, _ and -.`);
  if (scenarioFile(target))
    throw new WhetstoneError('usage', `${folder} already holds a scenario. Choose another folder.`);
  refuseShelf(target, folder);
  const files = newScenarioFiles(slug, typescript ? 'typescript' : 'yaml');
  const there = Object.keys(files).find((file) => existsSync(join(target, file)));
  if (there !== undefined)
    throw new WhetstoneError('usage', `${folder} already holds a ${there}. Choose another folder.`);
  const formats = formatFolder(dirname(target));
  makeFolder(target);
  writeFormats(formats);
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(target, file), withFormat(text, `${slashed(relative(target, formats))}/${file}`));
  const shelf = join(dirname(target), 'collection.yaml');
  if (existsSync(shelf))
    console.error(`Add "${slug}" to a split of ${join(dirname(folder), 'collection.yaml')}.`);
  else {
    const head = `name: ${JSON.stringify(basename(dirname(target)))}\ndescription: What these scenarios are about.\nsplits: # train, validation and test\n  train: [${slug}]\n`;
    const from = slashed(relative(dirname(target), formats)) || '.';
    writeFileSync(shelf, withFormat(head, `${from}/collection.yaml`));
  }
  const quoted = /^[\w./\\:-]+$/.test(folder) ? folder : `"${folder}"`;
  console.error(
    `Written to ${folder}. Next:\n  whet scenario check ${quoted}\n  whet scenario play ${quoted}`,
  );
}

/** A collection with a scenario's files in it, and the folder of all collections with a collection's, would be lost for both. */
function refuseShelf(target: string, folder: string): void {
  if (existsSync(join(target, 'collection.yaml')))
    throw new WhetstoneError(
      'usage',
      `${folder} is a collection. Name a folder in it: ${join(folder, 'my-scenario')}.`,
    );
  const parent = dirname(target);
  const shelf = existsSync(parent)
    ? readdirSync(parent).find((name) => existsSync(join(parent, name, 'collection.yaml')))
    : undefined;
  if (shelf !== undefined)
    throw new WhetstoneError(
      'usage',
      `${dirname(folder)} holds collections, such as ${shelf}. Name a collection and a folder in it: ${join(folder, 'my-scenario')}.`,
    );
}

/** Editors complete and check what is written by the first line of a file; what is TypeScript they know already. */
function withFormat(text: string, path: string): string {
  const schema = path.replace(/\.yaml$/, '.schema.json');
  return schema === path ? text : `# yaml-language-server: $schema=${schema}\n${text}`;
}

/** Beside the collections, where those of the bundled ones are too; in the collection where that is outside of where one works. */
function formatFolder(shelf: string): string {
  const way = relative('.', dirname(shelf));
  return way === '' || way.startsWith('..') || isAbsolute(way) ? shelf : dirname(shelf);
}

function writeFormats(folder: string): void {
  for (const [name, format] of Object.entries(published)) {
    const file = join(folder, `${name}.schema.json`);
    if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(format, undefined, 2)}\n`);
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

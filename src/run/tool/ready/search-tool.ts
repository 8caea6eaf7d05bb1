import type { AnyTool } from '../contract.ts';
import { tool } from '../define-tool.ts';
import { Failure } from '../failure.ts';
import type { Workplace } from './file-tools.ts';
import { readText } from './text-file.ts';

const mostMatches = 100;
const mostFiles = 20_000;
const longestLine = 300;

/** Finds a text in the files of the folder. A text, not an expression: some of those never end. */
export function searchTool(place: Workplace): AnyTool {
  return tool({
    name: 'search_files',
    description: `Finds a text in the files of the folder, line by line; at most ${mostMatches} lines. The text is taken as it is: it is not a regular expression.`,
    input: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 1000 },
        path: { type: 'string', description: 'Where to look: a folder or a file. Everywhere by default' },
        name: { type: 'string', description: 'Only files whose name ends with this, such as ".ts"' },
        ignoreCase: { type: 'boolean' },
      },
      required: ['text'],
      additionalProperties: false,
    },
    idempotent: true,
    noteOnRequest: ({ text }) => `Searching for ${JSON.stringify(text)}`,
    run: async ({ text, path, name, ignoreCase }, { signal }) => {
      const fold = (line: string): string => (ignoreCase === true ? line.toLowerCase() : line);
      const wanted = fold(String(text));
      const found: string[] = [];
      let files = 0;
      for await (const file of filesBelow(place, String(path ?? '.'))) {
        signal.throwIfAborted();
        if (typeof name === 'string' && !file.endsWith(name)) continue;
        if (++files > mostFiles)
          return `${found.join('\n')}\n… only the first ${mostFiles} files were searched`;
        for (const [index, line] of (await linesOf(place, file)).entries()) {
          if (!fold(line).includes(wanted)) continue;
          if (found.length === mostMatches) return `${found.join('\n')}\n… and more: search for less`;
          found.push(`${file}:${index + 1}: ${shorten(line)}`);
        }
      }
      return found.length === 0 ? `Nothing in ${files} files.` : found.join('\n');
    },
  });
}

/** Links are not followed: they may lead out, or round in a circle. */
async function* filesBelow(
  { folder, ignore }: Workplace,
  path: string,
): AsyncGenerator<string, void, undefined> {
  const { readdir } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const start = await folder.find(path);
  const left = [start];
  for (let here = left.pop(); here !== undefined; here = left.pop()) {
    const entries = await readdir(here, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) {
      if (here === start) yield await folder.shown(here);
      continue;
    }
    const sorted = entries
      .filter(({ name }) => !ignore.has(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of sorted) if (entry.isFile()) yield await folder.shown(join(here, entry.name));
    for (const entry of sorted.toReversed()) if (entry.isDirectory()) left.push(join(here, entry.name));
  }
}

/** None of what is not text, is too large, or is gone. */
async function linesOf({ folder, mostBytes }: Workplace, path: string): Promise<readonly string[]> {
  try {
    const { text } = await readText(await folder.open(path), path, mostBytes);
    return text.split(/\r?\n/);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

function shorten(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`;
}

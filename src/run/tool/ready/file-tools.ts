import type { AnyTool, ApprovalRule } from '../contract.ts';
import { tool } from '../define-tool.ts';
import { failCall } from '../failure.ts';
import { toolbox, type Toolbox } from '../toolbox.ts';
import { type Edit, editTool } from './edit-tool.ts';
import { Folder } from './folder.ts';
import { searchTool } from './search-tool.ts';
import { readText } from './text-file.ts';

export interface FileToolsOptions {
  /** Nothing outside this folder is seen or touched. */
  readonly root: string;
  /** Without the tool that edits. */
  readonly readOnly?: boolean;
  /** Whether a person must agree to edits. */
  readonly approval?: 'never' | 'always' | ApprovalRule<Edit>;
  /** Names that are left out of lists and searches: `.git` and `node_modules` where nothing is said. */
  readonly ignore?: readonly string[];
  /** The largest file that is read or edited; 2,000,000 where nothing is said. */
  readonly maxFileBytes?: number;
}

/** What the tools of one folder share. */
export interface Workplace {
  readonly folder: Folder;
  readonly ignore: ReadonlySet<string>;
  readonly mostBytes: number;
  /** What was read of each file: an edit is for the text that the model has seen. */
  readonly seen: Map<string, string>;
}

const mostEntries = 1000;
const mostLines = 2000;
const longestLine = 2000;

/**
 * Tools to list, read, search and edit the files of one folder. Make new ones for each conversation: a file can be
 * edited only after it was read with them.
 * @example await run({ model, tools: fileTools({ root: 'docs' }), prompt: 'Mend the typos in guide.md' });
 */
export function fileTools(options: FileToolsOptions): Toolbox {
  const place: Workplace = {
    folder: new Folder(options.root),
    ignore: new Set(options.ignore ?? ['.git', 'node_modules']),
    mostBytes: options.maxFileBytes ?? 2_000_000,
    seen: new Map(),
  };
  return toolbox(
    listTool(place),
    readTool(place),
    searchTool(place),
    options.readOnly === true ? [] : editTool(place, options.approval),
  );
}

const path = { type: 'string', description: 'Path inside the folder, such as "src/index.ts"' };

function listTool({ folder, ignore }: Workplace): AnyTool {
  return tool({
    name: 'list_files',
    description: 'Lists a folder: its files with their sizes, and its folders (they end with "/").',
    input: { type: 'object', properties: { path }, additionalProperties: false },
    idempotent: true,
    noteOnRequest: ({ path: asked }) => `Listing ${String(asked ?? '.')}`,
    run: async ({ path: asked }) => {
      const { readdir, lstat } = await import('node:fs/promises');
      const { join } = await import('node:path');
      const real = await folder.find(String(asked ?? '.'));
      const entries = await readdir(real, { withFileTypes: true }).catch(() => undefined);
      if (entries === undefined) return failCall(`"${String(asked)}" is not a folder.`);
      const shown = entries
        .filter(({ name }) => !ignore.has(name))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const lines = await Promise.all(
        shown.slice(0, mostEntries).map(async (entry) => {
          if (entry.isDirectory()) return `${entry.name}/`;
          if (entry.isSymbolicLink()) return `${entry.name} (a link)`;
          const size = await lstat(join(real, entry.name)).then(
            (about) => `${about.size} bytes`,
            () => 'gone',
          );
          return entry.isFile() ? `${entry.name} (${size})` : `${entry.name} (not a plain file)`;
        }),
      );
      if (shown.length > mostEntries) lines.push(`… and ${shown.length - mostEntries} more`);
      return lines.length === 0 ? 'The folder is empty.' : lines.join('\n');
    },
  });
}

function readTool({ folder, mostBytes, seen }: Workplace): AnyTool {
  return tool({
    name: 'read_file',
    description: `Reads a text file, each line after its number and a tab. At most ${mostLines} lines at once: go on with \`from\`.`,
    input: {
      type: 'object',
      properties: {
        path,
        from: { type: 'integer', minimum: 1, description: 'The first line, counted from 1' },
        lines: { type: 'integer', minimum: 1, maximum: mostLines },
      },
      required: ['path'],
      additionalProperties: false,
    },
    idempotent: true,
    noteOnRequest: ({ path: asked }) => `Reading ${String(asked)}`,
    run: async ({ path: asked, from = 1, lines = mostLines }) => {
      const file = await folder.open(String(asked));
      const shown = await folder.shown(file.path);
      const { text } = await readText(file, shown, mostBytes);
      seen.set(file.path, text);
      const all = text.split(/\r?\n/);
      if (all.at(-1) === '') all.pop();
      if (all.length === 0) return 'The file is empty.';
      const first = Number(from);
      const part = all.slice(first - 1, first - 1 + Number(lines));
      if (part.length === 0) return failCall(`"${shown}" has only ${all.length} lines.`);
      const left = all.length - (first - 1 + part.length);
      const told = part.map((line, index) => `${first + index}\t${shorten(line)}`);
      if (left > 0) told.push(`… ${left} more lines: read on from ${first + part.length}`);
      return told.join('\n');
    },
  });
}

function shorten(line: string): string {
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine)}… (${line.length - longestLine} more characters)`;
}

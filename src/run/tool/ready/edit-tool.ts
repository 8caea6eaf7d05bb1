import type { AnyTool, ApprovalRule } from '../contract.ts';
import { tool } from '../define-tool.ts';
import { failCall, invalidArgument } from '../failure.ts';
import type { Workplace } from './file-tools.ts';
import { readText, writeText } from './text-file.ts';

/** What a model asks of `edit_file`. */
export interface Edit {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

/** Replaces an exact text in a file that was read, or makes a new file. */
export function editTool(
  place: Workplace,
  approval: 'never' | 'always' | ApprovalRule<Edit> | undefined,
): AnyTool {
  return tool({
    name: 'edit_file',
    description:
      'Replaces `old` with `new` in a file that was read before. `old` must be in the file exactly once, character by character, without the line numbers; `all` replaces every one. With an empty `old`, makes a new file that holds `new`.',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path inside the folder' },
        old: { type: 'string' },
        new: { type: 'string' },
        all: { type: 'boolean' },
      },
      required: ['path', 'old', 'new'],
      additionalProperties: false,
    },
    ...(approval !== undefined && { approval: approval as 'always' }),
    concurrency: 'one-at-a-time',
    noteOnRequest: ({ path, old, new: text }) => ({
      label: `${old === '' ? 'Making' : 'Editing'} ${String(path)}`,
      detail: old === '' ? String(text) : `- ${String(old)}\n+ ${String(text)}`,
    }),
    run: ({ path, old, new: text, all }) =>
      old === ''
        ? make(place, String(path), String(text))
        : edit(place, String(path), { old: String(old), text: String(text), all: all === true }),
  });
}

async function make({ folder, seen, mostBytes }: Workplace, path: string, text: string): Promise<unknown> {
  expectSize(text, mostBytes);
  const { lstat } = await import('node:fs/promises');
  const real = await folder.placeNew(path);
  const isThere = await lstat(real).then(
    () => true,
    () => false,
  );
  if (isThere) return failCall(`"${path}" is there already. Read it, and give the \`old\` text to replace.`);
  await writeText(real, text);
  seen.set(real, text);
  return `Made ${await folder.shown(real)}.`;
}

interface Change {
  readonly old: string;
  readonly text: string;
  readonly all: boolean;
}

async function edit(
  { folder, seen, mostBytes }: Workplace,
  path: string,
  { old, text, all }: Change,
): Promise<unknown> {
  const file = await folder.open(path);
  const shown = await folder.shown(file.path);
  const { text: before, isWindows } = await readText(file, shown, mostBytes);
  const known = seen.get(file.path);
  if (known === undefined) return failCall(`"${shown}" was not read yet. Read it, then edit it.`);
  if (known !== before) return failCall(`"${shown}" has changed since it was read. Read it again.`);
  const there = isWindows ? windows(old) : old;
  const parts = before.split(there);
  const found = parts.length - 1;
  if (found === 0)
    return failCall(
      `The \`old\` text is not in "${shown}". Give it exactly as it is there, without line numbers.`,
    );
  if (found > 1 && !all)
    return failCall(
      `The \`old\` text is in "${shown}" ${found} times. Give more of what is around it, or set \`all\`.`,
    );
  const after = parts.join(isWindows ? windows(text) : text);
  expectSize(after, mostBytes);
  await writeText(file.path, after);
  seen.set(file.path, after);
  return `Replaced ${found === 1 ? 'one place' : `${found} places`} in ${shown}.`;
}

function windows(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function expectSize(text: string, mostBytes: number): void {
  if (Buffer.byteLength(text) > mostBytes) throw invalidArgument('new', `at most ${mostBytes} bytes`);
}

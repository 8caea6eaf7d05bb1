import { isJsonObject } from '../../../base/json/value.ts';
import { tool } from '../define-tool.ts';
import { failCall } from '../failure.ts';
import { toolbox, type Toolbox } from '../toolbox.ts';
import { writeText } from './text-file.ts';

export interface NoteToolsOptions {
  /** Where notes are kept, as JSON; without it they last as long as the tools. */
  readonly file?: string;
}

const mostNotes = 200;
const longestTitle = 200;
const longestNote = 20_000;

/**
 * Tools to write notes down and read them again, in a later run too.
 * @example const tools = [noteTools({ file: 'notes.json' }), searchTools];
 */
export function noteTools({ file }: NoteToolsOptions = {}): Toolbox {
  const notes = new Notes(file);
  const title = { type: 'string', minLength: 1, maxLength: longestTitle };
  return toolbox(
    tool({
      name: 'write_note',
      description: 'Keeps a note under a title, in place of an earlier one. An empty text takes it away.',
      input: {
        type: 'object',
        properties: { title, text: { type: 'string', maxLength: longestNote } },
        required: ['title', 'text'],
        additionalProperties: false,
      },
      idempotent: true,
      concurrency: 'one-at-a-time',
      noteOnRequest: ({ title: name }) => `Noting ${JSON.stringify(name)}`,
      run: ({ title: name, text }) => notes.write(String(name), String(text)),
    }),
    tool({
      name: 'read_note',
      description: 'Reads the note of a title.',
      input: { type: 'object', properties: { title }, required: ['title'], additionalProperties: false },
      idempotent: true,
      run: async ({ title: name }) =>
        (await notes.all()).get(String(name)) ?? failCall(`There is no note ${JSON.stringify(name)}.`),
    }),
    tool({
      name: 'list_notes',
      description: 'Lists the titles of all notes.',
      idempotent: true,
      run: async () => {
        const titles = [...(await notes.all()).keys()];
        return titles.length === 0 ? 'There are no notes.' : titles.join('\n');
      },
    }),
  );
}

/** Titles are keys and nothing else: no path is made of them. */
class Notes {
  readonly #file: string | undefined;
  #kept: Promise<Map<string, string>> | undefined;

  constructor(file: string | undefined) {
    this.#file = file;
  }

  all(): Promise<Map<string, string>> {
    this.#kept ??= this.#load();
    return this.#kept;
  }

  async write(title: string, text: string): Promise<unknown> {
    const notes = await this.all();
    if (text !== '' && !notes.has(title) && notes.size >= mostNotes)
      return failCall(`There are ${mostNotes} notes already. Take one away first.`);
    const next = new Map(notes);
    if (text === '') next.delete(title);
    else next.set(title, text);
    if (this.#file !== undefined)
      await writeText(this.#file, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
    this.#kept = Promise.resolve(next);
    return text === '' ? 'Taken away.' : 'Noted.';
  }

  async #load(): Promise<Map<string, string>> {
    if (this.#file === undefined) return new Map();
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    const kept: unknown = JSON.parse(text);
    return new Map(
      isJsonObject(kept)
        ? Object.entries(kept).flatMap(([title, note]) => (typeof note === 'string' ? [[title, note]] : []))
        : [],
    );
  }
}

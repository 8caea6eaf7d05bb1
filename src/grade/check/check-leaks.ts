import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { wordsOf } from '../language/words.ts';
import type { Task } from '../scenario/task.ts';
import { pathOf, locationOf } from './check-context.ts';
import type { CheckContext } from './check-context.ts';

/** This many words in a row are no accident; fewer are compared over all variants. */
const tellingWords = 4;

/** Something that must be found out, as each variant has it, and what is read there before anything is asked. */
interface Secret {
  readonly path: readonly (string | number)[];
  /** The sentence about it, where it is in the briefing. */
  readonly say: (text: string) => string;
  readonly seen: { readonly read: string; readonly text: string }[];
}

/** Answers that are in the briefing already. */
export class Leaks {
  readonly #context: CheckContext;
  readonly #secrets = new Map<string, Secret>();

  constructor(context: CheckContext) {
    this.#context = context;
  }

  look(task: Task): void {
    const read = plain(readBefore(task));
    for (const fact of task.facts) {
      if (fact.reveal === 'volunteered') continue;
      const path = pathOf(this.#context, 'facts', fact.id);
      const say = (text: string): string => `The briefing gives "${fact.id}" away: "${text}" is in it.`;
      const texts = [fact.says, fact.is].map((text) => ({ text, words: wordsOf(text.toLowerCase()).length }));
      const long = texts.find(({ text, words }) => words >= tellingWords && read.includes(plain(text)));
      if (long)
        this.#context.faults.add(say(long.text), locationOf(this.#context, path), task.reference.variant);
      for (const [index, { text, words }] of texts.entries())
        if (words > 0 && words < tellingWords)
          this.#note(`fact ${fact.id} ${index}`, { path, say, read, text });
    }
    for (const { id, call, after, input } of task.expected) {
      const right = equalTo(input['value']);
      if (after.length === 0 || right === undefined) continue;
      if (task.tools.find((tool) => tool.id === call)?.type !== 'decision') continue;
      const say = (text: string): string =>
        `The briefing gives the right "${call}" away: "${text}" is in it where it is right, and not where it is not.`;
      this.#note(`call ${id}`, { path: pathOf(this.#context, 'expect', id), say, read, text: right });
    }
  }

  /** A short text may stand anywhere; one that is there more often wherever it is right than wherever it is not is given away. */
  report(): void {
    for (const { path, say, seen } of this.#secrets.values()) {
      const texts = new Set(seen.map(({ text }) => plain(text)));
      const isNamed = [...texts].every((text) => {
        const [right, wrong] = [true, false].map((own) =>
          seen.filter((one) => (plain(one.text) === text) === own).map(({ read }) => read.split(text).length),
        );
        return Math.min(...right!) > Math.max(...wrong!);
      });
      if (texts.size > 1 && isNamed)
        this.#context.faults.add(say(seen[0]!.text), locationOf(this.#context, path), 0);
    }
  }

  #note(
    key: string,
    {
      path,
      say,
      read,
      text,
    }: Pick<Secret, 'path' | 'say'> & { readonly read: string; readonly text: string },
  ): void {
    const known = this.#secrets.get(key) ?? { path, say, seen: [] };
    known.seen.push({ read, text });
    this.#secrets.set(key, known);
  }
}

/** What is before an operator that has asked nothing: the briefings, and what its tools say of themselves. */
function readBefore({ opening, sessions, tools }: Task): string {
  return [
    opening.content,
    ...sessions.map(({ briefing }) => briefing),
    ...tools.map(({ name, description = '' }) => `${name}\n${description}`),
  ].join('\n');
}

/** The words alone, with a blank before and behind. */
function plain(text: string): string {
  return ` ${wordsOf(text.toLowerCase()).join(' ')} `;
}

function equalTo(wanted: JsonValue | undefined): string | undefined {
  const value = isJsonObject(wanted) ? wanted['equal'] : wanted;
  return typeof value === 'string' ? value : undefined;
}

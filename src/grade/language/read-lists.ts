import { readFileSync } from 'node:fs';

/** The lines of a text file: an indented one goes on with the line before it, and `//` begins a comment. */
export function readLines(file: URL): readonly string[] {
  const lines: string[] = [];
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('//')) continue;
    if (/^\s/.test(line)) lines.push(`${lines.pop()} ${line.trim()}`);
    else lines.push(line.trim());
  }
  return lines;
}

/** The phrases of a text file, divided by `|` or a new line. */
export function readPhrases(file: URL): readonly string[] {
  return readLines(file).flatMap((line) => line.split('|').map((phrase) => phrase.trim()));
}

/** Lists of words, or of regular expressions, by their names. */
export class Lists {
  readonly #lists = new Map<string, string[]>();

  /**
   * `[name]` begins a list, and each line below it is one of its expressions. In these `{name}` stands for all of a list
   * above (each by itself where it is all of a line), a group captures nothing, and a space at either end is written `[ ]`.
   */
  constructor(...files: readonly URL[]) {
    let list: string[] = [];
    for (const line of files.flatMap(readLines)) {
      const heading = /^\[([\w ]+)\]$/.exec(line)?.[1];
      const other = /^\{([a-z][a-z ]*)\}$/i.exec(line)?.[1];
      if (other !== undefined) list.push(...this.get(other));
      else if (heading === undefined || heading === ' ') list.push(this.#expressionOf(line));
      else this.#lists.set(heading, (list = []));
    }
  }

  get(name: string): readonly string[] {
    const list = this.#lists.get(name);
    if (list === undefined) throw new TypeError(`There is no list [${name}].`);
    return list;
  }

  /** One expression that finds any of a list. */
  expression(name: string, flags = ''): RegExp {
    return new RegExp(this.get(name).join('|'), flags);
  }

  /** Each of a list by itself. */
  expressions(name: string, flags = ''): readonly RegExp[] {
    return this.get(name).map((source) => new RegExp(source, flags));
  }

  /** All words of a list. */
  words(name: string): ReadonlySet<string> {
    return new Set(this.get(name).flatMap((line) => line.split(/\s+/)));
  }

  #expressionOf(line: string): string {
    return line
      .replace(groupOrNot, (found) => (found === '(' ? '(?:' : found))
      .replace(/\{([a-z][a-z ]*)\}/gi, (_, name: string) => `(?:${this.get(name).join('|')})`);
  }
}

/** A bracket that opens a group, and whatever holds brackets that open none. */
const groupOrNot = /\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/g;

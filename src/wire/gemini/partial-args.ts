import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { numberOf, textOf } from '../json-fields.ts';

type Key = string | number;
type Container = Record<string, JsonValue> | JsonValue[];

/**
 * Arguments that Vertex streams as `{jsonPath, value}` pairs, put together into the object they mean, and told
 * meanwhile as JSON text as far as the pairs come in the order of the text.
 */
export class PartialArgs {
  readonly #root: Record<string, JsonValue> = {};
  /** The containers that are open in the text, and the key that was last written in each. */
  readonly #open: { readonly key: Key; readonly list: boolean; members: number }[] = [
    { key: '', list: false, members: 0 },
  ];
  #text = '{';
  #openString: string | undefined;
  #inOrder = true;

  get object(): JsonObject {
    return this.#root;
  }

  /** Takes one pair; answers the JSON text that it adds. */
  take(pair: JsonObject): string {
    const path = readPath(textOf(pair['jsonPath']) ?? '$');
    const isEnd = path.at(-1) === '[]';
    const value = isEnd ? undefined : valueOf(pair);
    const continues = typeof value === 'string' && this.#openString === path.join('\0');
    this.#assign(isEnd ? path.slice(0, -1) : path, value, continues);
    if (this.#inOrder) this.#write(path, value, continues);
    this.#openString =
      typeof value === 'string' && pair['willContinue'] === true ? path.join('\0') : undefined;
    return this.#told();
  }

  /** The text that closes what is open. */
  end(): string {
    if (this.#inOrder) this.#closeTo(0);
    this.#text += this.#inOrder ? '}' : '';
    return this.#told();
  }

  #told(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #assign(path: readonly Key[], value: JsonValue | undefined, continues: boolean): void {
    let at: Container = this.#root;
    path.forEach((key, index) => {
      const isLast = index === path.length - 1;
      const there = read(at, key);
      if (isLast && value !== undefined) {
        write(at, key, continues ? `${String(there)}${String(value)}` : value);
        return;
      }
      const isContainer = typeof there === 'object' && there !== null;
      const next: Container = isContainer
        ? (there as Container)
        : typeof path[index + 1] === 'string'
          ? {}
          : [];
      if (!isContainer) write(at, key, next as JsonValue);
      at = next;
    });
  }

  #write(path: readonly Key[], value: JsonValue | undefined, continues: boolean): void {
    if (continues) {
      this.#text += JSON.stringify(value).slice(1, -1);
      return;
    }
    let shared = 0;
    while (shared < path.length - 1 && this.#open[shared + 1]?.key === path[shared]) shared++;
    this.#closeTo(shared);
    path.slice(shared).forEach((key, index) => {
      if (key === '[]') return;
      const here = this.#open.at(-1)!;
      if (here.list ? key !== here.members : typeof key === 'number') this.#inOrder = false;
      this.#text += here.members++ > 0 ? ',' : '';
      if (!here.list) this.#text += `${JSON.stringify(String(key))}:`;
      const next = path[shared + index + 1];
      if (next === undefined) {
        const text = JSON.stringify(value);
        this.#text += typeof value === 'string' ? text.slice(0, -1) : text;
        if (typeof value === 'string') this.#open.push({ key, list: false, members: -1 });
        return;
      }
      const list = typeof next === 'number' || next === '[]';
      this.#text += list ? '[' : '{';
      this.#open.push({ key, list, members: 0 });
    });
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth + 1) {
      const { list, members } = this.#open.pop()!;
      this.#text += members < 0 ? '"' : list ? ']' : '}';
    }
  }
}

/** `$.a.b[0]` as its keys; a trailing `[]` says that the array ends there. */
function readPath(path: string): readonly Key[] {
  const keys: Key[] = [];
  for (const found of path.matchAll(/\[(\d*)\]|\['((?:[^'\\]|\\.)*)'\]|\.?([^.[\]$]+)/g)) {
    const [, index, quoted, name] = found;
    if (index !== undefined) keys.push(index === '' ? '[]' : Number(index));
    else keys.push(quoted?.replace(/\\(.)/g, '$1') ?? name ?? '');
  }
  return keys;
}

function valueOf(pair: JsonObject): JsonValue {
  if ('stringValue' in pair) return textOf(pair['stringValue']) ?? '';
  if ('numberValue' in pair) return numberOf(pair['numberValue']) ?? null;
  return 'boolValue' in pair ? pair['boolValue'] === true : null;
}

function read(container: Container, key: Key): JsonValue | undefined {
  return Array.isArray(container)
    ? container[Number(key)]
    : Object.hasOwn(container, String(key))
      ? container[String(key)]
      : undefined;
}

function write(container: Container, key: Key, value: JsonValue): void {
  if (Array.isArray(container)) container[Number(key)] = value;
  else
    Object.defineProperty(container, String(key), {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

import { loadBeside } from '../../../base/host/load-beside.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Fault, Place, SourceFile } from '../place.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { readIfThere, readText } from './read-text.ts';
import { bytesOfFile, bytesOfLatin, bytesOfText } from './text-bytes.ts';
import type { TextBytes } from './text-bytes.ts';
import type * as yamlLibrary from './yaml-library.ts';

/** Reads YAML as JSON. Its value comes from our own reader where that knows the text, and else from the library. */
export function readYaml(text: string, file: string): SourceFile {
  const bytes = bytesOfText(text);
  return (bytes && readBytes(bytes, file)) ?? library().readAnyYaml(text, file);
}

/** Reads a file of YAML; undefined where there is none. */
export function readYamlFile(file: string): SourceFile | undefined {
  const bytes = readIfThere(file, bytesOfFile);
  const source = bytes && readBytes(bytes, file);
  if (source) return source;
  const text = readText(file);
  return text === undefined ? undefined : readYaml(text, file);
}

function readBytes(bytes: TextBytes, file: string): SourceFile | undefined {
  const plain = readPlainYaml(bytes);
  return plain && new PlainFile(bytes, { file, value: plain.value });
}

/** What our own reader has read, and reads again where it was let go of. */
class PlainFile implements SourceFile {
  readonly faults: readonly Fault[] = [];
  readonly text: string;
  readonly #isAscii: boolean;
  readonly #file: string;
  #locate: SourceFile['locate'] | undefined;
  #value: JsonValue | undefined;

  constructor({ latin, isAscii }: TextBytes, read: { readonly file: string; readonly value: JsonValue }) {
    this.text = latin;
    this.#isAscii = isAscii;
    this.#file = read.file;
    this.#value = read.value;
  }

  get value(): JsonValue {
    return (this.#value ??= readPlainYaml(bytesOfLatin(this.text))!.value);
  }

  locate(path: readonly (string | number)[]): Place {
    this.#locate ??= library().locator(this.#decoded(), this.#file);
    return this.#locate(path);
  }

  #decoded(): string {
    return this.#isAscii ? this.text : Buffer.from(this.text, 'latin1').toString();
  }

  letGo(): void {
    this.#value = undefined;
  }
}

/** Most processes never need it. */
function library(): Library {
  return (loaded ??= loadBeside<Library>(import.meta.url, './yaml-library'));
}

type Library = Pick<typeof yamlLibrary, 'readAnyYaml' | 'locator'>;

let loaded: Library | undefined;

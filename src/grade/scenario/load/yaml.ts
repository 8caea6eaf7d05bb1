import {
  CORE_SCHEMA,
  NOT_RESOLVED,
  YAMLException,
  defineScalarTag,
  floatCoreTag,
  load,
  parseEvents,
} from 'js-yaml';

import type { JsonValue } from '../../../base/json/value.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';
import { locationAt } from '../diagnostic.ts';
import { readText } from './read-text.ts';
import { explainYaml } from './yaml-faults.ts';
import { yamlPlaces } from './yaml-locations.ts';
import { yamlTraps } from './yaml-traps.ts';

/** More aliases than an author writes: a few lines of them can stand for gigabytes. */
const maxAliases = 30;

/** Values are JSON: `.inf` and `.nan` are words like any other. */
const schema = CORE_SCHEMA.withTags(
  defineScalarTag(floatCoreTag.tagName, {
    ...floatCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = floatCoreTag.resolve(source, isExplicit, tagName);
      return typeof value === 'number' && Number.isFinite(value) ? value : NOT_RESOLVED;
    },
  }),
);

/** Reads a file of YAML; undefined where there is none. */
export function readYamlFile(file: string): SourceFile | undefined {
  const text = readText(file);
  return text === undefined ? undefined : readYaml(text, file);
}

/** Reads YAML as JSON, or says what is wrong with it. */
export function readYaml(text: string, file: string): SourceFile {
  try {
    const value = parse(text);
    const locate = yamlPlaces(text, file);
    const circle = circleIn(value);
    if (circle)
      return refused([
        { message: 'This contains itself. Write it out, without the *.', place: locate(circle) },
      ]);
    const traps = yamlTraps(text, parseEvents(text, {}));
    if (traps.length > 0)
      return refused(traps.map(({ message, at }) => ({ message, place: locationAt(text, file, at) })));
    return new YamlFile(text, value, locate);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { message, at } = explainYaml(text, error.reason, error.mark?.position ?? 0);
    return refused([{ message, place: locationAt(text, file, at) }]);
  }
}

function parse(text: string): JsonValue {
  return load(text, { schema, maxAliases }) as JsonValue;
}

/** What was read, and is read again where it was let go of: a text is a quarter of its value's size. */
class YamlFile implements SourceFile {
  readonly faults: readonly Diagnostic[] = [];
  readonly text: string;
  readonly locate: SourceFile['locate'];
  #value: JsonValue | undefined;

  constructor(text: string, value: JsonValue, locate: SourceFile['locate']) {
    this.text = text;
    this.locate = locate;
    this.#value = value;
  }

  get value(): JsonValue {
    return (this.#value ??= parse(this.text));
  }

  letGo(): void {
    this.#value = undefined;
  }
}

function refused(faults: readonly Diagnostic[]): SourceFile {
  const { place } = faults[0]!;
  return { value: null, faults, locate: () => place };
}

/** The path to a value that contains itself: an alias can do that. */
function circleIn(
  value: JsonValue,
  path: readonly (string | number)[] = [],
  above: ReadonlySet<JsonValue> = new Set(),
): readonly (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.has(value)) return path;
  const inside = new Set(above).add(value);
  for (const [key, member] of Object.entries(value)) {
    const found = circleIn(member as JsonValue, [...path, key], inside);
    if (found) return found;
  }
  return undefined;
}

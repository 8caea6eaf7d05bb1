import type { Random } from '../../../base/host/random.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Task, ToolOffer } from '../../scenario/task.ts';
import type { TurnCall } from '../../scenario/transcript.ts';

/** Names, numbers and snake-case words that are in what the operator reads, and every choice of every tool. */
export function vocabularyOf(task: Task): readonly string[] {
  const read = task.opening.content.match(/[a-z]+_[a-z_]+|\b[A-Z]-?\d{3,}\b|\d+(?:\.\d+)?/g) ?? [];
  const choices = task.tools.flatMap(({ options = [], json_schema: schema }) => [
    ...options,
    ...Object.values(propertiesOf(schema)).flatMap((property) =>
      isJsonObject(property) && Array.isArray(property['enum']) ? property['enum'].map(String) : [],
    ),
  ]);
  return [...new Set([...read, ...choices, 'none', 'unknown'])];
}

/** A call that looks as it should, and of which nothing is known. */
export function fabricate(tool: ToolOffer, vocabulary: readonly string[], random: Random): TurnCall {
  const pick = <Value>(list: readonly Value[]): Value | undefined => list[Math.floor(random() * list.length)];
  const numbers = vocabulary.map(Number).filter(Number.isFinite);
  const value = (property: JsonValue): JsonValue => {
    const { enum: choices, type } = isJsonObject(property) ? property : {};
    if (Array.isArray(choices)) return pick(choices) ?? '';
    if (type === 'number' || type === 'integer') return pick(numbers) ?? Math.floor(random() * 10);
    if (type === 'boolean') return random() < 0.5;
    if (type === 'array')
      return Array.from({ length: Math.floor(random() * 3) }, () => pick(vocabulary) ?? '');
    return pick(vocabulary) ?? '';
  };
  const input: JsonValue =
    tool.mode === 'options'
      ? { value: pick(tool.options ?? []) ?? '' }
      : Object.fromEntries(
          Object.entries(propertiesOf(tool.json_schema)).map(([name, property]) => [name, value(property)]),
        );
  return { name: tool.id, input };
}

function propertiesOf(schema: unknown): { readonly [name: string]: JsonValue } {
  return isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
}

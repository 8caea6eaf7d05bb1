import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { TookTooLong, withinTime } from '../time-limit.ts';

type Path = readonly (string | number)[];

/**
 * Patterns of tools that one repeated letter makes endless. Node's own engine tries them on what a model writes, and
 * goes back over a text as often as a repetition within a repetition can divide it up.
 */
export function checkPatterns(template: JsonObject, say: (path: Path, message: string) => void): void {
  const path: (string | number)[] = [];
  const walk = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) (value as readonly JsonValue[]).forEach((item, index) => enter(index, item));
    else if (isJsonObject(value)) for (const key in value) enter(key, value[key]!);
  };
  const enter = (key: string | number, member: JsonValue): void => {
    path.push(key);
    const letter = key === 'pattern' && typeof member === 'string' ? endlessOn(member) : undefined;
    if (letter === undefined) walk(member);
    else
      say(
        path,
        `A text of many ${JSON.stringify(letter)} would hold the pattern up for ever: a repetition is within a repetition. Write it with one.`,
      );
    path.pop();
  };
  const tools = (template['tools'] ?? []) as readonly JsonObject[];
  tools.forEach((tool, index) => {
    path.splice(0, path.length, 'tools', index, 'json_schema');
    walk(tool['json_schema']);
  });
}

/** Only what repeats a group can be endless. */
const repeatsGroup = /\)(?:[*+]|\{\d*,)/;
/** As many as 2 to the power of them takes for ever, and what is sound reads at once. */
const many = 40;
const limitMs = 200;

function endlessOn(source: string): string | undefined {
  if (!repeatsGroup.test(source)) return undefined;
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'u');
  } catch {
    return undefined; // Told as no expression.
  }
  const begin = /^\^?([\w @/:-]*)(?![*+?{])/.exec(source)?.[1] ?? '';
  return [...new Set([...source.replaceAll(/\\./g, ''), ...'aA0 -_'])].find((letter) =>
    ['', begin].some((start) => {
      const text = `${start}${letter.repeat(many)}\u0001`;
      try {
        withinTime(limitMs, () => pattern.test(text));
        return false;
      } catch (error) {
        if (error instanceof TookTooLong) return true;
        throw error;
      }
    }),
  );
}

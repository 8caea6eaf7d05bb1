import { WhetstoneError } from '../../host/errors.ts';
import type { JsonPathEvent } from './events.ts';

/** Matches every key and every index in a path to follow. */
export const anyKey: unique symbol = Symbol('any key');

type Step = string | number | typeof anyKey;

/** `code`, `items[*].name`, `*.id`, `["odd key"][0]`; or the same as a list, with `anyKey` for `*`. Empty: the root. */
export type PathPattern = string | readonly Step[];

export type PathListener = (event: JsonPathEvent) => void;

export interface Subscription {
  readonly steps: readonly Step[];
  /** Gone once the listener has been taken away. */
  listener: PathListener | undefined;
}

/** A subscription and how many of its steps the way to a container has matched. */
export interface Match {
  readonly subscription: Subscription;
  readonly matched: number;
}

const none: readonly Match[] = [];

/** What of `matches` (of a container) still holds for its child at `key`. */
export function matchChild(matches: readonly Match[], key: string | number): readonly Match[] {
  let found: Match[] | undefined;
  for (const { subscription, matched } of matches) {
    const step = subscription.steps[matched];
    if (step === undefined || (step !== anyKey && step !== key)) continue;
    (found ??= []).push({ subscription, matched: matched + 1 });
  }
  return found ?? none;
}

const part = /\.?([^.[\]"*]+)|\.?(\*)|\[(\*)\]|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;

export function parsePattern(pattern: PathPattern): readonly Step[] {
  if (typeof pattern !== 'string') {
    if (Array.isArray(pattern)) return [...pattern];
    throw new WhetstoneError('json_path', `A path to follow is text or a list, not ${typeof pattern}.`, {
      details: { pattern },
    });
  }
  const steps: Step[] = [];
  const text = pattern.startsWith('$') && /^\$(?:$|[.[])/.test(pattern) ? pattern.slice(1) : pattern;
  part.lastIndex = 0;
  while (part.lastIndex < text.length) {
    const at = part.lastIndex;
    const found = part.exec(text);
    if (found === null || (at === 0 && steps.length === 0 && text === pattern && text[0] === '.')) {
      throw new WhetstoneError(
        'json_path',
        `The path "${pattern}" cannot be read from "${text.slice(at)}" on.`,
        {
          details: { pattern, offset: at },
        },
      );
    }
    const [, name, star, index, number, quoted] = found;
    if (star !== undefined || index !== undefined) steps.push(anyKey);
    else if (number !== undefined) steps.push(Number(number));
    else if (quoted !== undefined) steps.push(JSON.parse(quoted) as string);
    else steps.push(name ?? '');
  }
  return steps;
}

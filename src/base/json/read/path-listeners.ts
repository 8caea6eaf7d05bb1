import {
  JsonDuplicateEvent,
  type JsonEvent,
  JsonOpenEvent,
  JsonTextEvent,
  JsonValueEvent,
} from './events.ts';
import { PathNode } from '../path.ts';
import {
  type Match,
  matchChild,
  parsePattern,
  type PathListener,
  type PathPattern,
  type Subscription,
} from './subscription.ts';
import type { ExactJson } from '../value.ts';

type Key = string | number | undefined;

interface PendingEvent {
  readonly event: JsonEvent;
  readonly matches: readonly Match[];
}

interface Level {
  readonly place: PathNode;
  readonly matches: readonly Match[];
}

/**
 * Who listens to a reader, and where the reader is. What happens is noted while a piece is read and told when
 * the reader is at rest, so that a listener may read, snapshot or throw without harm.
 */
export class PathListeners {
  readonly #onEvent: ((event: JsonEvent) => void) | undefined;
  readonly #subscriptions: Subscription[] = [];
  readonly #levels: Level[] = [];
  /** The open string, once it has been spoken of. */
  #leaf: Level | undefined;
  #pending: PendingEvent[] = [];

  constructor(onEvent?: (event: JsonEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Adds a listener, from here on; what it gives back takes the listener away. */
  subscribe(pattern: PathPattern, listener: PathListener): () => void {
    const subscription: Subscription = { steps: parsePattern(pattern), listener };
    this.#subscriptions.push(subscription);
    this.#rematch();
    return () => {
      subscription.listener = undefined;
      const index = this.#subscriptions.indexOf(subscription);
      if (index >= 0) this.#subscriptions.splice(index, 1);
      this.#rematch();
    };
  }

  /** A container is open at `key`, of which nothing is told (it was open before anyone listened). */
  enter(key: Key): Level {
    const level = this.#child(key);
    this.#levels.push(level);
    return level;
  }

  opened(key: Key, kind: 'object' | 'array'): void {
    const { place } = this.enter(key);
    if (this.#onEvent !== undefined)
      this.#pending.push({ event: new JsonOpenEvent(place, kind), matches: [] });
  }

  closed(value: ExactJson): void {
    const level = this.#levels.pop();
    if (level !== undefined) this.#add(level, new JsonValueEvent(level.place, value));
  }

  text(key: Key, text: string): void {
    if (this.#hasNoListener()) return;
    const leaf = (this.#leaf ??= this.#child(key));
    this.#add(leaf, new JsonTextEvent(leaf.place, text));
  }

  value(key: Key, value: ExactJson): void {
    if (this.#hasNoListener()) return;
    const leaf = this.#leaf ?? this.#child(key);
    this.#leaf = undefined;
    this.#add(leaf, new JsonValueEvent(leaf.place, value));
  }

  duplicate(key: Key): void {
    if (this.#onEvent === undefined) return;
    this.#pending.push({ event: new JsonDuplicateEvent(this.#child(key).place), matches: [] });
  }

  /** Tells what was noted, in order. If a listener throws, the rest is told next time. */
  tell(): void {
    while (this.#pending.length > 0) {
      const pending = this.#pending;
      this.#pending = [];
      let told = 0;
      try {
        for (const { event, matches } of pending) {
          told++;
          this.#onEvent?.(event);
          if (event.type !== 'text' && event.type !== 'value') continue;
          for (const { subscription, matched } of matches) {
            if (matched === subscription.steps.length) subscription.listener?.(event);
          }
        }
      } finally {
        if (told < pending.length) this.#pending = pending.slice(told).concat(this.#pending);
      }
    }
  }

  #add(level: Level, event: JsonTextEvent | JsonValueEvent): void {
    const { matches } = level;
    if (this.#onEvent === undefined && !matches.some(isWhole)) return;
    this.#pending.push({ event, matches });
  }

  /** Nobody follows anything in the innermost container. */
  #hasNoListener(): boolean {
    return this.#onEvent === undefined && this.#levels.at(-1)?.matches.length === 0;
  }

  #child(key: Key): Level {
    const parent = this.#levels.at(-1);
    if (parent === undefined || key === undefined) {
      return { place: new PathNode(), matches: this.#subscriptions.map(fromRoot) };
    }
    return { place: new PathNode(parent.place, key), matches: matchChild(parent.matches, key) };
  }

  #rematch(): void {
    const open = this.#levels.splice(0);
    const leaf = this.#leaf;
    for (const level of open) this.enter(level.place.key);
    if (leaf !== undefined) this.#leaf = this.#child(leaf.place.key);
  }
}

function fromRoot(subscription: Subscription): Match {
  return { subscription, matched: 0 };
}

function isWhole({ subscription, matched }: Match): boolean {
  return matched === subscription.steps.length;
}

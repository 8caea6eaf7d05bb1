import {
  JsonDuplicateEvent,
  type JsonEvent,
  JsonOpenEvent,
  JsonTextEvent,
  JsonValueEvent,
} from './events.ts';
import { Place } from '../path.ts';
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

interface Telling {
  readonly event: JsonEvent;
  readonly matches: readonly Match[];
}

interface Level {
  readonly place: Place;
  readonly matches: readonly Match[];
}

/**
 * Who listens to a reader, and where the reader is. What happens is noted while a piece is read and told when
 * the reader is at rest, so that a listener may read, snapshot or throw without harm.
 */
export class PathListeners {
  readonly #hear: ((event: JsonEvent) => void) | undefined;
  readonly #subscriptions: Subscription[] = [];
  readonly #levels: Level[] = [];
  /** The open string, once it has been spoken of. */
  #leaf: Level | undefined;
  #noted: Telling[] = [];

  constructor(hear?: (event: JsonEvent) => void) {
    this.#hear = hear;
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
    if (this.#hear !== undefined) this.#noted.push({ event: new JsonOpenEvent(place, kind), matches: [] });
  }

  closed(value: ExactJson): void {
    const level = this.#levels.pop();
    if (level !== undefined) this.#note(level, new JsonValueEvent(level.place, value));
  }

  text(key: Key, text: string): void {
    if (this.#deaf()) return;
    const leaf = (this.#leaf ??= this.#child(key));
    this.#note(leaf, new JsonTextEvent(leaf.place, text));
  }

  value(key: Key, value: ExactJson): void {
    if (this.#deaf()) return;
    const leaf = this.#leaf ?? this.#child(key);
    this.#leaf = undefined;
    this.#note(leaf, new JsonValueEvent(leaf.place, value));
  }

  duplicate(key: Key): void {
    if (this.#hear === undefined) return;
    this.#noted.push({ event: new JsonDuplicateEvent(this.#child(key).place), matches: [] });
  }

  /** Tells what was noted, in order. If a listener throws, the rest is told next time. */
  tell(): void {
    while (this.#noted.length > 0) {
      const telling = this.#noted;
      this.#noted = [];
      let told = 0;
      try {
        for (const { event, matches } of telling) {
          told++;
          this.#hear?.(event);
          if (event.type !== 'text' && event.type !== 'value') continue;
          for (const { subscription, matched } of matches) {
            if (matched === subscription.steps.length) subscription.listener?.(event);
          }
        }
      } finally {
        if (told < telling.length) this.#noted = telling.slice(told).concat(this.#noted);
      }
    }
  }

  #note(level: Level, event: JsonTextEvent | JsonValueEvent): void {
    const { matches } = level;
    if (this.#hear === undefined && !matches.some(isWhole)) return;
    this.#noted.push({ event, matches });
  }

  /** Nobody follows anything in the innermost container. */
  #deaf(): boolean {
    return this.#hear === undefined && this.#levels.at(-1)?.matches.length === 0;
  }

  #child(key: Key): Level {
    const parent = this.#levels.at(-1);
    if (parent === undefined || key === undefined) {
      return { place: new Place(), matches: this.#subscriptions.map(fromRoot) };
    }
    return { place: new Place(parent.place, key), matches: matchChild(parent.matches, key) };
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

import type { JsonPath, PathNode } from '../path.ts';
import type { ExactJson } from '../value.ts';

/**
 * What a reader tells while a text arrives. `path` is made when it is read, so that telling costs the same at
 * every depth.
 */
export type JsonEvent = JsonOpenEvent | JsonTextEvent | JsonValueEvent | JsonDuplicateEvent;

/** What a listener on a path hears. */
export type JsonPathEvent = JsonTextEvent | JsonValueEvent;

class PlacedEvent {
  readonly #place: PathNode;

  constructor(place: PathNode) {
    this.#place = place;
  }

  get path(): JsonPath {
    return this.#place.path;
  }
}

/** A container has been opened. */
export class JsonOpenEvent extends PlacedEvent {
  readonly type = 'open';
  readonly kind: 'object' | 'array';

  constructor(place: PathNode, kind: 'object' | 'array') {
    super(place);
    this.kind = kind;
  }
}

/** An open string has grown by `text`; never cut inside a surrogate pair. All pieces together are the string. */
export class JsonTextEvent extends PlacedEvent {
  readonly type = 'text';
  readonly text: string;

  constructor(place: PathNode, text: string) {
    super(place);
    this.text = text;
  }
}

/** A value is complete and will not change again. */
export class JsonValueEvent extends PlacedEvent {
  readonly type = 'value';
  readonly value: ExactJson;

  constructor(place: PathNode, value: ExactJson) {
    super(place);
    this.value = value;
  }
}

/** A key has come again in the same object: the value that follows replaces the earlier one. */
export class JsonDuplicateEvent extends PlacedEvent {
  readonly type = 'duplicate';
}

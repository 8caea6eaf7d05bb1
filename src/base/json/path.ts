/** One place in a document: the keys and indices that lead there from the root. */
export type JsonPath = readonly (string | number)[];

/**
 * A place as a linked list, so that naming a place costs the same at every depth. The array is made when it is
 * first asked for, and once.
 */
export class PathNode {
  readonly parent: PathNode | undefined;
  readonly key: string | number | undefined;
  #path: JsonPath | undefined;

  constructor(parent?: PathNode, key?: string | number) {
    this.parent = parent;
    this.key = key;
  }

  get path(): JsonPath {
    if (this.#path === undefined) {
      const keys: (string | number)[] = [];
      for (let place: PathNode | undefined = this; place?.key !== undefined; place = place.parent)
        keys.push(place.key);
      this.#path = keys.reverse();
    }
    return this.#path;
  }
}

/** `items[2].name`, for people and for messages. */
export function formatPath(path: JsonPath): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(key)) text += text === '' ? key : `.${key}`;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}

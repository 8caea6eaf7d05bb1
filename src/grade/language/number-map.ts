/**
 * A number (0 or more) for each of many whole numbers (32 bits, never 0), side by side in one array: to look one up takes
 * one line of memory, where a Map takes three.
 */
export class NumberMap {
  #slots = new Int32Array(slotsAtFirst);
  /** So many bits of what a key is mixed to tell its place. */
  #shift = shiftAtFirst;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** -1 for a key that it does not hold. */
  get(key: number): number {
    const at = this.#placeOf(key);
    return this.#slots[at] === key ? this.#slots[at + 1]! : -1;
  }

  set(key: number, value: number): void {
    let at = this.#placeOf(key);
    if (this.#slots[at] !== key) at = this.#add(key, at);
    this.#slots[at + 1] = value;
  }

  /** Numbers a key, in the order of their coming; whether it is new. */
  number(key: number): boolean {
    const at = this.#placeOf(key);
    if (this.#slots[at] === key) return false;
    const value = this.#size;
    this.#slots[this.#add(key, at) + 1] = value;
    return true;
  }

  clear(): void {
    this.#size = 0;
    // What had to grow once would be long to wipe for ever.
    if (this.#slots.length === slotsAtFirst) this.#slots.fill(0);
    else {
      this.#slots = new Int32Array(slotsAtFirst);
      this.#shift = shiftAtFirst;
    }
  }

  /** Where the key stands, or would. */
  #placeOf(key: number): number {
    const slots = this.#slots;
    let at = (Math.imul(key, 0x9e3779b1) >>> this.#shift) * 2;
    while (slots[at] !== key && slots[at] !== 0) at = (at + 2) & (slots.length - 1);
    return at;
  }

  #add(key: number, place: number): number {
    let at = place;
    if (4 * ++this.#size > this.#slots.length) {
      this.#grow();
      at = this.#placeOf(key);
    }
    this.#slots[at] = key;
    return at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    this.#shift--;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] === 0) continue;
      const place = this.#placeOf(old[at]!);
      this.#slots[place] = old[at]!;
      this.#slots[place + 1] = old[at + 1]!;
    }
  }
}

/** Two numbers as one, of which the first has 15 bits and the other 16: no number of 16 bits is the same. */
export function pairOf(one: number, other: number): number {
  return (one << 16) | other;
}

/** Puts a number where it belongs in a short list that is in order, if it does not stand there. */
export function insert(list: number[], number: number): void {
  let at = list.length;
  while (at > 0 && list[at - 1]! > number) at--;
  if (at > 0 && list[at - 1] === number) return;
  list.push(number);
  list.copyWithin(at + 1, at);
  list[at] = number;
}

const slotsAtFirst = 512;
const shiftAtFirst = 32 - Math.log2(slotsAtFirst / 2);

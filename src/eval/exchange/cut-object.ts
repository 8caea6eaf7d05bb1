import { WhetstoneError } from '../../base/host/errors.ts';

/** A member of an object, or an item of a list in it, as it is written. */
export interface CutMember {
  readonly key: string;
  readonly text: string;
  /** Where its value begins in the whole text, and how long that is: in bytes where each character is read as one. */
  readonly at: number;
  readonly length: number;
}

/**
 * Cuts the text of a JSON object into its members while it arrives, and the lists that are named into their items: a
 * log of any size is read one sample at a time. What a member holds is not looked into.
 */
export async function* cutObject(
  pieces: AsyncIterable<string>,
  listed: ReadonlySet<string>,
): AsyncGenerator<CutMember> {
  let depth = 0;
  let inText = false;
  let escaped = false;
  let key = '';
  let inKey = false;
  let value: string | undefined;
  // The depth in which a comma ends what is being cut.
  let level = 1;
  let before = 0;
  let valueAt = 0;
  for await (const piece of pieces) {
    let begin = value === undefined && !inKey ? -1 : 0;
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]!;
      if (inText) {
        if (escaped) escaped = false;
        else if (char === '\\') escaped = true;
        else if (char === '"') {
          inText = false;
          if (inKey) {
            key = JSON.parse(`${key}${piece.slice(begin, at + 1)}`) as string;
            inKey = false;
            begin = -1;
          }
        }
        continue;
      }
      switch (char) {
        case '"':
          inText = true;
          if (depth === 1 && value === undefined) {
            inKey = true;
            key = '';
            begin = at;
          }
          break;
        case ':':
          if (depth === 1 && value === undefined) {
            value = '';
            begin = at + 1;
            valueAt = before + at + 1;
            level = 1;
          }
          break;
        case '{':
        case '[':
          depth += 1;
          if (char === '[' && depth === 2 && listed.has(key) && level === 1 && value !== undefined) {
            level = 2;
            value = '';
            begin = at + 1;
            valueAt = before + at + 1;
          }
          break;
        case ',':
        case '}':
        case ']': {
          if (depth === level && value !== undefined) {
            const text = `${value}${piece.slice(begin, at)}`.trim();
            if (text !== '') yield { key, text, at: valueAt, length: before + at - valueAt };
            if (char === ',' && level === 2) {
              value = '';
              begin = at + 1;
              valueAt = before + at + 1;
            } else {
              value = undefined;
              begin = -1;
              level = 1;
            }
          }
          if (char !== ',') depth -= 1;
          break;
        }
        default:
      }
    }
    if (begin >= 0) {
      if (inKey) key += piece.slice(begin);
      else if (value !== undefined) value += piece.slice(begin);
    }
    before += piece.length;
  }
  if (depth !== 0 || inText)
    throw new WhetstoneError('log_unreadable', 'The JSON ends before its object does: it was cut off.');
}

import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import { keyAliases, keySpellings, modifierKeys } from './key-names.ts';
import type { KeyDialect, KeySpelling } from './key-names.ts';

export type { KeyDialect } from './key-names.ts';

/** Control, Alt, Shift or Meta (and Playwright's `ControlOrMeta`), by its canonical name. */
export function isModifier(key: string): boolean {
  return modifierKeys.includes(key);
}

/** One key by the name that `KeyboardEvent.key` gives it: `Return`, `ENTER` and `kp_enter` are `Enter`. */
export function canonicalKey(token: string): string {
  if (typeof token !== 'string' || token === '') throw invalid(token);
  if (/^\s$/.test(token)) return token === '\n' || token === '\r' ? 'Enter' : token === '\t' ? 'Tab' : ' ';
  const trimmed = token.trim();
  if (trimmed === '') throw invalid(token);
  if ([...trimmed].length === 1) return keyAliases.get(trimmed) ?? trimmed;
  const folded = trimmed.toLowerCase().replaceAll(/[_\s-]/g, '');
  if (/^f([1-9]|1\d|2[0-4])$/.test(folded)) return folded.toUpperCase();
  return keyAliases.get(folded) ?? trimmed;
}

/**
 * A list of keys as one chord, which is what every provider means by it: canonical names, modifiers first.
 * An entry may itself be a chord (`["ctrl+a"]`). With a modifier other than Shift a letter is lower-case.
 */
export function readKeys(keys: readonly string[]): readonly string[] {
  if (!Array.isArray(keys) || keys.length === 0) throw invalid(keys);
  return normalise(keys.flatMap((token) => (isSpelled(token) ? splitChord(token) : [token])));
}

/** A chord in one text, `ctrl+shift+t`. It is split only between keys: `ctrl++` is Control and "+". */
export function readChord(text: string): readonly string[] {
  if (typeof text !== 'string' || text === '') throw invalid(text);
  return normalise(splitChord(text));
}

/** Chords one after the other, as xdotool writes them: `ctrl+a Delete` are two. */
export function readKeySequence(text: string): readonly (readonly string[])[] {
  if (typeof text !== 'string' || text === '') throw invalid(text);
  if (text.trim() === '') return [[canonicalKey(text.slice(0, 1))]];
  const joined = text.trim().replaceAll(/(\S)\s*\+\s*(\S)/g, '$1+$2');
  return joined.split(/\s+/).map(readChord);
}

/** The keys of a chord as a provider spells them, modifiers first; what it has no name for passes through. */
export function writeKeys(keys: readonly string[], dialect: KeyDialect): readonly string[] {
  const spelling = spellingOf(dialect);
  return readKeys(keys).map((key) => {
    const special = spelling.special[key];
    if (special !== undefined) return special;
    if ([...key].length === 1 || !(isKnown(key) || isModifier(key))) return key;
    return spelling.other === 'lower'
      ? key.toLowerCase()
      : spelling.other === 'upper'
        ? key.toUpperCase()
        : key;
  });
}

/** A chord in one text, as a provider writes it: `ctrl+shift+t`, or `ctrl c` where it joins by spaces. */
export function writeChord(keys: readonly string[], dialect: KeyDialect): string {
  const written = writeKeys(keys, dialect);
  if (dialect !== 'gemini-combination') return written.join(spellingOf(dialect).joint);
  return written
    .map((key) => (written.length > 1 && /^[a-z]$/.test(key) ? key.toUpperCase() : key))
    .join('+');
}

const known = new Set(keyAliases.values());

function isKnown(key: string): boolean {
  return known.has(key) || /^F([1-9]|1\d|2[0-4])$/.test(key);
}

/** Whether a canonical name is that of a key: one that has a name, a function key, or a single sign. */
export function isKey(key: string): boolean {
  return isKnown(key) || isModifier(key) || ([...key].length === 1 && !/\p{C}/u.test(key));
}

/** More than a single character, so a "+" in it can separate. */
function isSpelled(token: string): boolean {
  return typeof token === 'string' && [...token].length > 1;
}

function normalise(tokens: readonly string[]): readonly string[] {
  const keys = [...new Set(tokens.map(canonicalKey))];
  const modifiers = modifierKeys.filter((key) => keys.includes(key));
  const rest = keys.filter((key) => !isModifier(key));
  const lowers = modifiers.length > 0 && !modifiers.includes('Shift');
  return [...modifiers, ...rest.map((key) => (lowers && [...key].length === 1 ? key.toLowerCase() : key))];
}

function splitChord(text: string): readonly string[] {
  if (/^\s+$/.test(text)) return [text.slice(0, 1)];
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const plus = text.indexOf('+', text[at] === '+' ? at + 1 : at);
    const end = text[at] === '+' ? at + 1 : plus === -1 ? text.length : plus;
    const token = text.slice(at, end);
    if (token.trim() !== '') tokens.push(token);
    // What separates is skipped; at the very end it is the key itself, as in "ctrl+".
    if (text[end] === '+' && end === text.length - 1 && token !== '+') tokens.push('+');
    at = text[end] === '+' ? end + 1 : end;
  }
  return tokens;
}

function spellingOf(dialect: KeyDialect): KeySpelling {
  if (typeof dialect === 'string' && Object.hasOwn(keySpellings, dialect)) return keySpellings[dialect];
  throw new WhetstoneError(
    'keys_invalid',
    `${show(dialect)} is not a known spelling of keys. Known: ${Object.keys(keySpellings).join(', ')}.`,
    { details: { dialect } },
  );
}

function invalid(found: unknown): WhetstoneError {
  return new WhetstoneError(
    'keys_invalid',
    `A key must be a text that is not empty, such as "Enter" or "ctrl+a"; this is ${show(found)}.`,
    { details: { keys: found } },
  );
}

import { WhetstoneError } from '../../base/host/errors.ts';
import { readJson } from './json.ts';
import type { PythonDict, PythonValue } from './value.ts';

/** Reads TOML as far as databases are written in it: tables, lists of tables, and plain values on one line or over several. */
export function readToml(source: string): PythonDict {
  const root: PythonDict = new Map();
  let table = root;
  const lines = source.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    if (line === '' || line.startsWith('#')) continue;
    const header = /^(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line);
    if (header !== null) {
      table = openTable(root, header[2]!.split('.').map(unquote), header[1] === '[[');
      continue;
    }
    const member = /^([A-Za-z0-9_-]+|"[^"]*")\s*=\s*(.*)$/.exec(line);
    if (member === null) throw refusal(at, line);
    let text = withoutComment(member[2]!);
    let value = readValue(text);
    // A list may go on over several lines.
    while (value === undefined && text.startsWith('[') && at + 1 < lines.length) {
      text += ` ${withoutComment(lines[++at]!)}`;
      value = readValue(text);
    }
    if (value === undefined) throw refusal(at, line);
    table.set(unquote(member[1]!), value);
  }
  return root;
}

function openTable(root: PythonDict, path: readonly string[], isList: boolean): PythonDict {
  let table = root;
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    let next = table.get(name);
    if (isLast && isList) {
      const items = Array.isArray(next) ? next : [];
      next = new Map();
      items.push(next);
      table.set(name, items);
    } else if (Array.isArray(next)) next = next.at(-1);
    else if (next === undefined) table.set(name, (next = new Map()));
    table = next as PythonDict;
  }
  return table;
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1) : name;
}

/** TOML writes strings, numbers, booleans and lists as JSON does, but for quotes, trailing commas and underscores. */
function readValue(text: string): PythonValue | undefined {
  const plain = text
    .trim()
    .replaceAll(/"(?:\\.|[^"\\])*"|(?<=\d)_(?=\d)/g, (found) => (found === '_' ? '' : found))
    .replace(/,\s*\]$/, ']');
  if (/^'[^']*'$/.test(plain)) return plain.slice(1, -1);
  if (/^\d{4}-\d{2}-\d{2}/.test(plain)) return plain;
  try {
    return readJson(plain.replace(/^\+(?=\d)/, ''));
  } catch {
    return undefined;
  }
}

function withoutComment(text: string): string {
  return /^((?:"(?:\\.|[^"\\])*"|'[^']*'|[^"'#])*)/.exec(text)![1]!;
}

function refusal(at: number, line: string): WhetstoneError {
  return new WhetstoneError('benchmark_data', `Line ${at + 1} of a TOML text cannot be read: ${line}`, {
    details: { line: at + 1 },
  });
}

type Path = readonly (string | number)[];

/**
 * Where a member of `scenario({ … })` is written in a TypeScript file, as an offset: the nearest above it that stands
 * there as a literal. What is calculated, spread or brought from elsewhere has no place of its own, and where the text
 * leaves a doubt there is none at all: a wrong line is worse than none.
 */
export function findMember(text: string, path: Path): number | undefined {
  const code = codeOf(text);
  if (code === undefined) return undefined;
  const [call, ...more] = [...code.matchAll(/(?<![.\w$])scenario\s*\(\s*(?=\{)/g)];
  if (!call || more.length > 0) return undefined;
  let value = call.index + call[0].length;
  let found = value;
  for (const step of path) {
    const next =
      code[value] === '[' ? itemAt(code, value, Number(step)) : memberAt(text, code, value, String(step));
    if (!next) break;
    found = next.named;
    value = next.value;
  }
  return found;
}

interface Found {
  readonly named: number;
  readonly value: number;
}

/** A member of an object literal; nothing where a spread or a computed name might stand for it. */
function memberAt(text: string, code: string, open: number, wanted: string): Found | undefined {
  if (code[open] !== '{' || !isWhole(code, open)) return undefined;
  let found: Found | undefined;
  for (let at = skip(code, open + 1); code[at] !== '}';) {
    const named = at;
    const written = /^(?:[A-Za-z_$][\w$]*|\d+|"+)/.exec(code.slice(at, at + 200))?.[0];
    if (written === undefined) return undefined;
    at = skip(code, at + written.length);
    const isPlain = code[at] === ':';
    // Between the name and the comma is a value, the parameters and body of a method, or nothing.
    if (!isPlain && !'(,}'.includes(code[at] ?? ';')) return undefined;
    const value = isPlain ? skip(code, at + 1) : named;
    const name = written.startsWith('"') ? text.slice(named + 1, named + written.length - 1) : written;
    if (name === wanted) found = { named, value };
    const end = endOfValue(code, isPlain ? value : at);
    if (end === undefined) return undefined;
    at = code[end] === ',' ? skip(code, end + 1) : end;
  }
  return found;
}

function itemAt(code: string, open: number, wanted: number): Found | undefined {
  if (!isWhole(code, open)) return undefined;
  let at = skip(code, open + 1);
  for (let index = 0; code[at] !== ']'; index++) {
    if (code.startsWith('...', at) || code[at] === ',') return undefined;
    if (index === wanted) return { named: at, value: at };
    const end = endOfValue(code, at);
    if (end === undefined) return undefined;
    at = code[end] === ',' ? skip(code, end + 1) : end;
  }
  return undefined;
}

/** The literal is the value: nothing is called on it, and it is not a branch of a choice. */
function isWhole(code: string, open: number): boolean {
  const close = endOfValue(code, open + 1, true);
  if (close === undefined) return false;
  const next = skip(code, close + 1);
  return ',)]}'.includes(code[next] ?? ';') || /^(?:as|satisfies)\s/.test(code.slice(next, next + 12));
}

/** The comma or the bracket that ends what begins here; with `past`, the bracket that closes what holds it. */
function endOfValue(code: string, from: number, past = false): number | undefined {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const one = code[at]!;
    if ('([{'.includes(one)) depth++;
    else if (')]}'.includes(one)) {
      if (depth === 0) return at;
      depth--;
    } else if (depth === 0 && !past) {
      if (one === ',') return at;
      // A comma between angle brackets would end nothing.
      if (one === ';' || one === '<') return undefined;
    }
  }
  return undefined;
}

function skip(code: string, from: number): number {
  let at = from;
  while (/\s/.test(code[at] ?? '')) at++;
  return at;
}

/** The text with its comments blank, its strings all quotes, and its templates and expressions all backticks. */
function codeOf(text: string): string | undefined {
  let code = '';
  const take = (pattern: RegExp, filler: string): string | undefined => {
    pattern.lastIndex = code.length;
    const written = pattern.exec(text)?.[0];
    if (written !== undefined) code += written.replaceAll(/[^\n]/g, filler);
    return written;
  };
  while (code.length < text.length) {
    const one = text[code.length]!;
    if (one === '"' || one === "'") {
      if (take(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y, '"') === undefined) return undefined;
    } else if (one === '`') {
      const written = take(/`(?:[^`\\]|\\[^])*`/y, '`');
      // Braces within a template may hold another one.
      if (written === undefined || /(?<![$\\])\{|\$\{[^}]*$/.test(written)) return undefined;
    } else if (one === '/') {
      if (take(/\/\/[^\n]*|\/\*[^]*?\*\//y, ' ') !== undefined) continue;
      if (!/(?:[(,=:[!&|?{};>]|\breturn)\s*$/.test(code)) code += one;
      else if (take(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y, '`') === undefined)
        return undefined;
    } else code += one;
  }
  return code;
}

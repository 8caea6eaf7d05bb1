import { PythonException } from './exception.ts';
import type { PythonNumber } from './number.ts';

/** What Python reads in a text of digits, `+`, `-`, `*`, `/`, `(`, `)`, `.` and spaces. */
export type Expression =
  | { readonly kind: 'number'; readonly value: PythonNumber }
  | { readonly kind: 'tuple' }
  | { readonly kind: 'ellipsis' }
  | { readonly kind: 'sign'; readonly operator: '+' | '-'; readonly operand: Expression }
  | {
      readonly kind: 'operation';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly callee: Expression; readonly stars: readonly Star[] };

interface Star {
  readonly operator: '' | '*' | '**';
  readonly operand: Expression;
}

/** The expression of a text, or the `SyntaxError` that Python 3.11 raises for it. */
export function parseExpression(text: string): Expression {
  const { tokens, isOpen } = tokenize(text.replace(/^ +/, ''));
  if (tokens.length === 0) throw syntaxError('invalid syntax', 0);
  const parsed = new Parser(tokens, { isOpen, explains: false }).whole();
  if (parsed !== undefined) return parsed;
  // As Python does, read once more for a better message than “invalid syntax”.
  new Parser(tokens, { isOpen, explains: true }).whole();
  throw syntaxError('invalid syntax');
}

interface Token {
  readonly text: string;
  /** How many parentheses are open after it. */
  readonly level: number;
}

function tokenize(text: string): { readonly tokens: readonly Token[]; readonly isOpen: boolean } {
  const tokens: Token[] = [];
  let level = 0;
  for (const [found] of text.matchAll(/ +|\d+\.\d*|\.\d+|\d+|\.\.\.|\*\*|\/\/|[-+*/().]/g)) {
    if (found.startsWith(' ')) continue;
    if (/^0\d*[1-9]\d*$/.test(found)) {
      throw syntaxError(
        'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
      );
    }
    if (found === '(' && ++level > mostParentheses) throw syntaxError('too many nested parentheses');
    if (found === ')' && --level < 0) throw syntaxError("unmatched ')'");
    tokens.push({ text: found, level });
  }
  return { tokens, isOpen: level > 0 };
}

const mostParentheses = 200;

function syntaxError(message: string, line = 1): PythonException {
  return new PythonException('SyntaxError', `${message} (<string>, line ${line})`);
}

type Parsed = { readonly value: Expression; readonly end: number } | undefined;

/** Recursive descent; `explains` makes it throw where Python's grammar has a rule for a common mistake. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #isOpen: boolean;
  readonly #explains: boolean;
  readonly #sums = new Map<number, Parsed>();

  constructor(tokens: readonly Token[], how: { readonly isOpen: boolean; readonly explains: boolean }) {
    this.#tokens = tokens;
    this.#isOpen = how.isOpen;
    this.#explains = how.explains;
  }

  whole(): Expression | undefined {
    const parsed = this.#expression(0);
    return parsed?.end === this.#tokens.length ? parsed.value : undefined;
  }

  #text(at: number): string | undefined {
    // Python says so only where its parser gets as far as the end.
    if (this.#isOpen && at >= this.#tokens.length) throw syntaxError("'(' was never closed");
    return this.#tokens[at]?.text;
  }

  #expression(at: number): Parsed {
    const parsed = this.#sum(at);
    if (this.#explains && parsed !== undefined) {
      const next = this.#sum(parsed.end);
      if (next !== undefined && this.#tokens[next.end - 1]!.level > 0) {
        throw syntaxError('invalid syntax. Perhaps you forgot a comma?');
      }
    }
    return parsed;
  }

  /** Kept by where it begins: explaining looks at each place twice, and that would double with each parenthesis. */
  #sum(at: number): Parsed {
    if (!this.#sums.has(at)) {
      this.#sums.set(
        at,
        this.#chain(at, ['+', '-'], (start) =>
          this.#chain(start, ['*', '/', '//'], (factor) => this.#factor(factor)),
        ),
      );
    }
    return this.#sums.get(at);
  }

  #chain(at: number, operators: readonly string[], operand: (at: number) => Parsed): Parsed {
    let left = operand(at);
    while (left !== undefined && operators.includes(this.#text(left.end) ?? '')) {
      const operator = this.#text(left.end)!;
      const right = operand(left.end + 1);
      if (right === undefined) break;
      left = {
        value: { kind: 'operation', operator, left: left.value, right: right.value },
        end: right.end,
      };
    }
    return left;
  }

  #factor(at: number): Parsed {
    const operator = this.#text(at);
    if (operator === '+' || operator === '-') {
      const operand = this.#factor(at + 1);
      return operand && { value: { kind: 'sign', operator, operand: operand.value }, end: operand.end };
    }
    const base = this.#primary(at);
    if (base === undefined || this.#text(base.end) !== '**') return base;
    const exponent = this.#factor(base.end + 1);
    if (exponent === undefined) return base;
    return {
      value: { kind: 'operation', operator: '**', left: base.value, right: exponent.value },
      end: exponent.end,
    };
  }

  #primary(at: number): Parsed {
    let parsed = this.#atom(at);
    while (parsed !== undefined && this.#text(parsed.end) === '(') {
      const stars = this.#argument(parsed.end + 1);
      const end = stars?.end ?? parsed.end + 1;
      if (this.#text(end) !== ')') break;
      parsed = {
        value: { kind: 'call', callee: parsed.value, stars: stars === undefined ? [] : [stars.value] },
        end: end + 1,
      };
    }
    // A point asks for a name, which no such text holds; Python looks for it and so may come to the end.
    if (parsed !== undefined && this.#text(parsed.end) === '.') this.#text(parsed.end + 1);
    return parsed;
  }

  #argument(at: number): { readonly value: Star; readonly end: number } | undefined {
    const text = this.#text(at);
    const operator = text === '*' || text === '**' ? text : '';
    const parsed = this.#expression(operator === '' ? at : at + 1);
    return parsed && { value: { operator, operand: parsed.value }, end: parsed.end };
  }

  #atom(at: number): Parsed {
    const text = this.#text(at);
    if (text === '...') return { value: { kind: 'ellipsis' }, end: at + 1 };
    if (text !== undefined && /\d/.test(text)) {
      return {
        value: { kind: 'number', value: text.includes('.') ? Number(text) : BigInt(text) },
        end: at + 1,
      };
    }
    if (text !== '(') return undefined;
    if (this.#text(at + 1) === ')') return { value: { kind: 'tuple' }, end: at + 2 };
    const inner = this.#expression(at + 1);
    if (inner !== undefined) {
      return this.#text(inner.end) === ')' ? { value: inner.value, end: inner.end + 1 } : undefined;
    }
    if (this.#explains) this.#explainStar(at + 1);
    return undefined;
  }

  #explainStar(at: number): void {
    const star = this.#text(at);
    if (star !== '*' && star !== '**') return;
    const starred = this.#expression(at + 1);
    if (starred === undefined || this.#text(starred.end) !== ')') return;
    const kind = star === '*' ? 'starred' : 'double starred';
    throw syntaxError(`cannot use ${kind} expression here`);
  }
}

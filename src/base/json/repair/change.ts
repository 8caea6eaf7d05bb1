export type ChangeKind =
  | 'fence'
  | 'prose'
  | 'several-values'
  | 'double-encoded'
  | 'comment'
  | 'trailing-comma'
  | 'extra-comma'
  | 'missing-comma'
  | 'missing-colon'
  | 'missing-value'
  | 'missing-quote'
  | 'missing-closer'
  | 'extra-closer'
  | 'ellipsis'
  | 'quotes'
  | 'inner-quote'
  | 'unquoted-key'
  | 'unquoted-string'
  | 'control-character'
  | 'space'
  | 'escape'
  | 'concatenation'
  | 'literal'
  | 'number';

/** One thing that was changed: what, where in the text, and in words. */
export interface Change {
  readonly kind: ChangeKind;
  readonly offset: number;
  readonly note: string;
}

export function shorten(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text);
}

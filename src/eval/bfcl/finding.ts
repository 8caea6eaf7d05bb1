/** Why a call is not valid: the official checker's own word, and what was found. */
export interface Finding {
  readonly type: string;
  readonly reasons: readonly string[];
}

export function finding(type: string, ...reasons: readonly string[]): Finding {
  return { type, reasons };
}

/** A value as a reason shows it: short. */
export function shown(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

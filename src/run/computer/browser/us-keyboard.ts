/** A key of a US keyboard, as the browser is told of it. */
export interface SignKey {
  readonly code: string;
  readonly number: number;
}

/** The keys with two signs each that are not letters: what they are called, how the system numbers them. */
const symbolKeys: readonly (readonly [signs: string, code: string, number: number])[] = [
  ['`~', 'Backquote', 192],
  ['-_', 'Minus', 189],
  ['=+', 'Equal', 187],
  ['[{', 'BracketLeft', 219],
  [']}', 'BracketRight', 221],
  ['\\|', 'Backslash', 220],
  [';:', 'Semicolon', 186],
  ['\'"', 'Quote', 222],
  [',<', 'Comma', 188],
  ['.>', 'Period', 190],
  ['/?', 'Slash', 191],
  [' ', 'Space', 32],
];
const aboveDigits = ')!@#$%^&*(';

const keys = new Map<string, SignKey>();
for (const [signs, code, number] of symbolKeys) for (const sign of signs) keys.set(sign, { code, number });
for (let digit = 0; digit < 10; digit++)
  for (const sign of [String(digit), aboveDigits[digit]!])
    keys.set(sign, { code: `Digit${digit}`, number: 48 + digit });
for (let letter = 65; letter <= 90; letter++) {
  const upper = String.fromCodePoint(letter);
  for (const sign of [upper, upper.toLowerCase()]) keys.set(sign, { code: `Key${upper}`, number: letter });
}

/** The key that a sign is on. */
export function keyOfSign(sign: string): SignKey | undefined {
  return keys.get(sign);
}

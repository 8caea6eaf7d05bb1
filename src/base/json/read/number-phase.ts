/** Where in a number: after its sign, leading zero, integer digits, point, fraction, `e`, sign of the exponent, exponent. */
export const afterMinus = 0;
export const afterZero = 1;
export const inInteger = 2;
export const afterPoint = 3;
export const inFraction = 4;
export const afterE = 5;
const afterESign = 6;
const inExponent = 7;

/** Whether the number may end here. */
export function isWhole(phase: number): boolean {
  return phase === afterZero || phase === inInteger || phase === inFraction || phase === inExponent;
}

/** The phase of a number after one more character, or -1 where none follows. */
export function nextPhase(phase: number, code: number): number {
  if (code >= 48 && code <= 57) {
    if (phase === afterMinus) return code === 48 ? afterZero : inInteger;
    if (phase === afterZero) return -1;
    if (phase === afterPoint) return inFraction;
    return phase === afterE || phase === afterESign ? inExponent : phase;
  }
  if (code === 46) return phase === afterZero || phase === inInteger ? afterPoint : -1;
  if (code === 101 || code === 69) {
    return phase === afterZero || phase === inInteger || phase === inFraction ? afterE : -1;
  }
  return (code === 43 || code === 45) && phase === afterE ? afterESign : -1;
}

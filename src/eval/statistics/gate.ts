/** Whether a rate of success is at least what was asked for, told as soon as it is shown. */
export type GateVerdict = 'pass' | 'fail' | 'undecided';

/** Each verdict is wrong in at most this share of runs, however often one looks. */
const errorRate = 0.05;

/** Shares of what may be staked; several are tried side by side, since the true rate is not known. */
const stakes = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9];

/**
 * A sequential test by betting (Waudby-Smith and Ramdas 2024): a gambler stakes on each result against the rate that is
 * to be refuted. Where that rate is true, no gambler gains on the average, and by Ville's inequality one in twenty at
 * most ever holds twenty times what he began with; so a look after every result costs nothing. It needs no more of the
 * results than that they lie between 0 and 1.
 */
export class Gate {
  readonly atLeast: number;
  /** By stake: what the gamblers hold who stake that the rate is below `atLeast`, and not below it. */
  readonly #below = stakes.map(() => 1 / stakes.length);
  readonly #above = stakes.map(() => 1 / stakes.length);
  #verdict: GateVerdict = 'undecided';
  #seen = 0;
  #after: number | undefined;

  constructor(atLeast: number) {
    this.atLeast = atLeast;
  }

  get verdict(): GateVerdict {
    return this.#verdict;
  }

  /** How many results the verdict took; what follows cannot change it. */
  get after(): number | undefined {
    return this.#after;
  }

  get seen(): number {
    return this.#seen;
  }

  /** Takes the next result, from 0 to 1. */
  add(result: number): GateVerdict {
    this.#seen += 1;
    if (this.#verdict !== 'undecided') return this.#verdict;
    const gain = result - this.atLeast;
    // A stake can lose all of itself and no more: at a result of 1, or of 0.
    const mostBelow = 1 / (1 - this.atLeast);
    const mostAbove = 1 / this.atLeast;
    stakes.forEach((stake, index) => {
      if (this.atLeast < 1) this.#below[index]! *= 1 - stake * mostBelow * gain;
      else if (result < 1) this.#below[index] = Infinity;
      if (this.atLeast > 0) this.#above[index]! *= 1 + stake * mostAbove * gain;
    });
    if (this.atLeast <= 0) this.#decide('pass');
    else if (sum(this.#below) >= 1 / errorRate) this.#decide('fail');
    else if (this.atLeast < 1 && sum(this.#above) >= 1 / errorRate) this.#decide('pass');
    return this.#verdict;
  }

  #decide(verdict: GateVerdict): void {
    this.#verdict = verdict;
    this.#after = this.#seen;
  }
}

/** The verdict of results that came in this order. */
export function runGate(
  results: Iterable<number>,
  atLeast: number,
): { readonly verdict: GateVerdict; readonly after: number | undefined } {
  const gate = new Gate(atLeast);
  for (const result of results) if (gate.add(result) !== 'undecided') break;
  return { verdict: gate.verdict, after: gate.after };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

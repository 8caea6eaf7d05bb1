/**
 * Student's t and the normal distribution, through the regularised incomplete beta function.
 * Lentz's continued fraction and Lanczos' series: Press et al., Numerical Recipes, 3rd ed., 6.1 and 6.4.
 */

/** The value that a t distribution stays below with this probability (0.5 < probability < 1). */
export function studentQuantile(probability: number, degrees: number): number {
  if (!Number.isFinite(degrees)) return normalQuantile(probability);
  let low = 0;
  let high = 1;
  while (studentProbability(high, degrees) < probability && high < 1e9) high *= 2;
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (studentProbability(middle, degrees) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability that a t distribution stays below a value. */
export function studentProbability(value: number, degrees: number): number {
  const tail = incompleteBeta(degrees / 2, 0.5, degrees / (degrees + value * value)) / 2;
  return value < 0 ? tail : 1 - tail;
}

/** The value that the standard normal distribution stays below with this probability. */
export function normalQuantile(probability: number): number {
  let low = -40;
  let high = 40;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (normalProbability(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability that the standard normal distribution stays below a value: ½ erfc(−z/√2), as half a gamma function. */
export function normalProbability(value: number): number {
  const upper = upperGammaHalf((value * value) / 2) / 2;
  return value < 0 ? upper : 1 - upper;
}

/** Q(½, x): what is left above x of a gamma distribution of shape ½ (series below 1.5, continued fraction above). */
function upperGammaHalf(x: number): number {
  const scale = Math.exp(-x + 0.5 * Math.log(x) - logGamma(0.5));
  if (x === 0) return 1;
  if (x < 1.5) {
    let term = 2;
    let sum = 2;
    for (let n = 1; n < 500 && term > sum * 1e-16; n++) {
      term *= x / (n + 0.5);
      sum += term;
    }
    return 1 - sum * scale;
  }
  let b = x + 0.5;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < 500; n++) {
    const a = -n * (n - 0.5);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return scale * fraction;
}

/** The regularised incomplete beta function I_x(a, b). */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return fraction;
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x - 1 + 7.5;
  const series = lanczos.reduce((sum, term, index) => (index === 0 ? term : sum + term / (x - 1 + index)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(series);
}

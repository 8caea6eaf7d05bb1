import { studentQuantile } from './distribution.ts';

export interface Plan {
  readonly templates: number;
  readonly variants: number;
  readonly trials: number;
  /** How far the rewards of one task differ; those of a coin by default. */
  readonly trialVariance?: number;
  /** How far a difference between two players varies from template to template. */
  readonly templateVariance?: number;
}

/** A coin's variance, and a tenth of it between templates: what is taken before anything was seen. */
const coin = 0.25;
const betweenTemplates = 0.025;

/** The smallest true difference of two players that a plan finds four times in five; undefined for one template. */
export function detectableDifference({
  templates,
  variants,
  trials,
  trialVariance = coin,
  templateVariance = betweenTemplates,
}: Plan): number | undefined {
  if (templates < 2) return undefined;
  const each = templateVariance + (2 * trialVariance) / (variants * trials);
  const degrees = templates - 1;
  return (studentQuantile(0.975, degrees) + studentQuantile(0.8, degrees)) * Math.sqrt(each / templates);
}

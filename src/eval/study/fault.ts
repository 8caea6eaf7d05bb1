import { isWhetstoneError } from '../../base/host/errors.ts';

/** Who may fail other than the player: each is counted separately. */
const faultSides = ['infrastructure', 'person', 'judge'] as const;
/** The machine, the network or a player's provider; the model of a person; a judge. */
export type FaultSide = (typeof faultSides)[number];

export interface Fault {
  readonly side: FaultSide;
  /** In a word: `rate_limit`, `network`, or the code of the error. */
  readonly kind: string;
  /** The world failed, and not the player: another try may do better. */
  readonly world: boolean;
  /** Only its owner can mend it, as a key that is refused: another try brings the same. */
  readonly access: boolean;
  readonly message: string;
}

/** What a model cannot be blamed for, by the kinds of a model's error. */
const worldKinds = new Set(['rate_limit', 'overloaded', 'network', 'timeout', 'server', 'other', 'aborted']);
const accessKinds = new Set(['authentication', 'permission']);

/** Whose fault an error is, and whether it is worth another try. */
export function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  // Whatever the model of a person did wrong is not the player's fault.
  if (isWhetstoneError(error) && error.code === 'person_failed')
    return { ...faultOf(error.cause), side: 'person', world: true, message };
  const side = 'infrastructure';
  if (!isWhetstoneError(error)) return { side, kind: 'unknown', world: true, access: false, message };
  if (error.code !== 'model_failed') return { side, kind: error.code, world: true, access: false, message };
  const given = error.details?.['kind'];
  const kind = typeof given === 'string' ? given : 'other';
  const access = accessKinds.has(kind);
  return { side, kind, world: worldKinds.has(kind) || access, access, message };
}

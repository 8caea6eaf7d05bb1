import { isWhetstoneError } from '../../base/host/errors.ts';

export interface Fault {
  /** In a word: `rate_limit`, `network`, or the code of the error. */
  readonly kind: string;
  /** The world failed, and not the player: another try may do better. */
  readonly world: boolean;
  readonly message: string;
}

/** What a model cannot be blamed for, by the kinds of a model's error. */
const worldKinds = new Set(['rate_limit', 'overloaded', 'network', 'timeout', 'server', 'other', 'aborted']);
/** What only its owner can mend: it is no result, and another try brings the same. */
const accessKinds = new Set(['authentication', 'permission']);

function accessOf(cause: unknown): boolean {
  return isWhetstoneError(cause) && accessKinds.has(String(cause.details?.['kind']));
}

/** Whose fault an error is, and whether it is worth another try. */
export function faultOf(error: unknown): Fault & { readonly access: boolean } {
  const message = error instanceof Error ? error.message : String(error);
  if (!isWhetstoneError(error)) return { kind: 'unknown', world: true, access: false, message };
  const given = error.details?.['kind'];
  if (error.code === 'person_failed')
    return { kind: 'person', world: true, access: accessOf(error.cause), message };
  if (error.code !== 'model_failed') return { kind: error.code, world: true, access: false, message };
  const kind = typeof given === 'string' ? given : 'other';
  return {
    kind,
    world: worldKinds.has(kind) || accessKinds.has(kind),
    access: accessKinds.has(kind),
    message,
  };
}

import { WhetstoneError } from '../../host/errors.ts';
import { show } from '../../host/show.ts';

/** What a reader puts up with. Absent: no limit. */
export interface JsonLimits {
  /** How deep containers may be nested; `[]` is 1. */
  readonly depth?: number;
  /** How many characters (UTF-16 units) the whole text may have. */
  readonly length?: number;
  /** How many members one object or array may have. */
  readonly members?: number;
}

/** For text that comes from a network: far above what tools need, far below what hurts. */
export const networkLimits: JsonLimits = { depth: 256, length: 16 * 1024 * 1024, members: 100_000 };

/** Limits from a caller, checked: one that is not a number would silently limit nothing. */
export function readLimits(limits: JsonLimits | undefined): Required<JsonLimits> {
  if (!limits) return none;
  const { depth = Infinity, length = Infinity, members = Infinity } = limits;
  const read = { depth, length, members };
  for (const [name, limit] of Object.entries(read)) {
    if (typeof limit === 'number' && limit >= 0) continue;
    throw new WhetstoneError(
      'json_input',
      `The limit "${name}" must be a number of at least 0, not ${show(limit)}.`,
      {
        details: { [name]: limit },
      },
    );
  }
  return read;
}

const none: Required<JsonLimits> = { depth: Infinity, length: Infinity, members: Infinity };

import { WhetstoneError } from '../../base/host/errors.ts';
import type { Computer } from './computer.ts';

/** Who has a computer: while it is a person, nobody else is answered. */
class Possession {
  isTheirs = false;
  readonly calls = new Set<Promise<unknown>>();
}

const possessions = new WeakMap<Computer, Possession>();

function possessionOf(computer: Computer): Possession {
  let possession = possessions.get(computer);
  if (possession === undefined) possessions.set(computer, (possession = new Possession()));
  return possession;
}

/**
 * Hands a computer to a person, for a login, a CAPTCHA or a payment; disposing of the answer takes it back. Meanwhile
 * every call fails, and nothing is looked at. What they typed into a page is in no picture and in no words after it.
 *
 * @example
 * {
 *   await using _theirs = await handOver(browser);
 *   await untilTheySayDone();
 * }
 */
export async function handOver(computer: Computer): Promise<AsyncDisposable> {
  const possession = possessionOf(computer);
  refuseWhileTheirs(computer);
  possession.isTheirs = true;
  await Promise.allSettled(possession.calls);
  const taken = await computer.handOver?.();
  return {
    async [Symbol.asyncDispose]() {
      try {
        await taken?.[Symbol.asyncDispose]();
      } finally {
        possession.isTheirs = false;
      }
    },
  };
}

/** Throws while a person has the computer. */
export function refuseWhileTheirs(computer: Computer): void {
  if (possessionOf(computer).isTheirs)
    throw new WhetstoneError(
      'computer_taken',
      'A person has the computer at the moment, so nothing was done.',
    );
}

/** A call that a person waits for before they get the computer. */
export async function asCall<Value>(computer: Computer, call: Promise<Value>): Promise<Value> {
  const { calls } = possessionOf(computer);
  calls.add(call);
  try {
    return await call;
  } finally {
    calls.delete(call);
  }
}

import { toolbox } from '../tool/toolbox.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { RunParts } from './parts.ts';

export interface Offer {
  /** What the model is told of. */
  readonly shown: Toolbox;
  /** What of that may run. */
  readonly runnable: Toolbox;
}

/**
 * The tools of the next request. While a model is asked for its answer alone, it sees them and none may run but the one
 * that carries the answer.
 */
export async function offerTools(parts: RunParts, answering = false): Promise<Offer> {
  const { reader, ledger, caller, options, answer } = parts;
  const answers = answer?.tool === undefined ? nothing : toolbox(answer.tool);
  const box = reader.isNeeded ? reader.box : parts.box;
  if (!box.varies) return { shown: box, runnable: answering ? answers : box };
  const injected = options.injected ?? {};
  const at = { step: caller.step, messages: ledger.messages, injected };
  const shown = await box.available(at, (name, answer) => askInTime(parts, name, answer));
  return { shown, runnable: answering ? answers : shown };
}

const nothing = toolbox();
const patienceMs = 10_000;

/** A tool that cannot say whether it is there is not there: the others must not wait for it, and the run goes on. */
async function askInTime(parts: RunParts, name: string, answer: Promise<boolean>): Promise<boolean> {
  const { watch, ending, emitter, caller } = parts;
  try {
    return await watch.until(answer, () => undefined, patienceMs);
  } catch (cause) {
    if (ending.why === undefined)
      emitter()?.({ type: 'fault', step: caller.step, name, doing: 'isAvailable', cause });
    return false;
  }
}

import { toolbox } from '../tool/toolbox.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { RunParts } from './parts.ts';

export interface Offer {
  /** What the model is told of. */
  readonly shown: Toolbox;
  /** What of that may run. */
  readonly runnable: Toolbox;
}

/** The tools of the next request. While a model is asked for its answer alone, it sees them and none may run. */
export async function offerTools(parts: RunParts, answering = false): Promise<Offer> {
  const { reader, ledger, caller, options } = parts;
  const box = reader.isNeeded ? reader.box : parts.box;
  if (!box.varies) return { shown: box, runnable: answering ? nothing : box };
  const injected = options.injected ?? {};
  const shown = await box.available({ step: caller.step, messages: ledger.messages, injected });
  return { shown, runnable: answering ? nothing : shown };
}

const nothing = toolbox();

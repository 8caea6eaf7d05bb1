import { textOf } from '../../../base/message/message.ts';
import type { Model, ModelRequest, Reply } from '../../../base/message/model.ts';

/** What a model wrote, or why there is nothing to read. */
export type ModelWords =
  | { readonly text: string; readonly reply: Reply }
  | { readonly text?: undefined; readonly fault: string; readonly reply?: Reply };

/** A model, or a function that finds one for the name that a scenario gives: nothing where no model is to be asked. */
export type ModelChoice = Model | ((named: string | undefined) => Model | undefined);

export function chooseModel(
  choice: ModelChoice,
  named: string | undefined,
): { readonly model?: Model; readonly fault?: string } {
  if (typeof choice !== 'function') return { model: choice };
  try {
    const model = choice(named);
    return model === undefined ? {} : { model };
  } catch (error) {
    return { fault: `There is no model "${named}": ${messageOf(error)}` };
  }
}

/** Asks for a text. Whatever the model does instead is a fault in words, and nothing is thrown. */
export async function askModel(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelWords> {
  let reply: Reply;
  try {
    reply = await model.generate(request, { signal });
  } catch (error) {
    return { fault: `${model.name} failed: ${messageOf(error)}` };
  }
  if (reply.error)
    return { fault: `${model.name} failed: ${reply.error.kind}: ${reply.error.message}`, reply };
  const { reason } = reply.finish;
  if (!reply.complete || reason !== 'stop')
    return { fault: `${model.name} did not finish its answer (${reason}).`, reply };
  return { text: textOf(reply.message).trim(), reply };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { ToolChoice } from '../../../base/message/model.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { FinalAnswer } from '../final-answer.ts';
import type { RunContext } from '../run-context.ts';

export interface SelectedTools {
  /** What the model is told of. */
  readonly shown: Toolbox;
  /** What of that may run. */
  readonly runnable: Toolbox;
}

/**
 * The tools of the next request. A choice that rules some out rules them out here too, since not every host keeps to
 * it: the model sees them all, and what was not to be called does not run.
 */
export async function selectTools(
  context: RunContext,
  choice?: ToolChoice,
  only?: readonly string[],
): Promise<SelectedTools> {
  const { reader, log, callRunner, options, answer } = context;
  const all = reader.isNeeded ? reader.box : context.box;
  const box =
    only === undefined
      ? all
      : all.only(...new Set([...only, ...(answer?.tool === undefined ? [] : [answer.tool.name])]));
  if (!box.varies) return { shown: box, runnable: chosen(box, choice, context.answer) };
  const injected = options.injected ?? {};
  const at = { step: callRunner.step, messages: log.messages, injected };
  const shown = await box.available(at, (name, answer) => askInTime(context, name, answer));
  return { shown, runnable: chosen(shown, choice, context.answer) };
}

/** The tool that carries the final answer may always run. */
function chosen(box: Toolbox, choice: ToolChoice | undefined, answer: FinalAnswer | undefined): Toolbox {
  if (choice === undefined || choice === 'auto' || choice === 'required') return box;
  const allowed = choice === 'none' ? [] : 'allowed' in choice ? choice.allowed : [choice.name];
  const names = new Set(answer?.tool === undefined ? allowed : [...allowed, answer.tool.name]);
  return box.only(...[...names].filter((name) => box.find(name) !== undefined));
}

const patienceMs = 10_000;

/** A tool that cannot say whether it is there is not there: the others must not wait for it, and the run goes on. */
async function askInTime(context: RunContext, name: string, answer: Promise<boolean>): Promise<boolean> {
  const { deadlines, cancellation, emitter, callRunner } = context;
  try {
    return await deadlines.until(answer, { timeoutMs: patienceMs });
  } catch (cause) {
    if (cancellation.why === undefined)
      emitter()?.({ type: 'fault', step: callRunner.step, name, doing: 'isAvailable', cause });
    return false;
  }
}

import type { ModelRequest, ToolChoice } from '../../../base/message/model.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { FinalAnswer } from '../final-answer.ts';
import type { RunOptions } from '../option/options.ts';

const settings = [
  ...['maxOutputTokens', 'temperature', 'topP', 'seed', 'stop', 'reasoning', 'tokens'],
  ...['providerOptions', 'parallelCalls', 'cache'],
] as (keyof RunOptions & keyof ModelRequest)[];

/** What every request of a run says, in addition to its history and tools. */
export function requestSettings(options: RunOptions, output: ModelRequest['output']): Partial<ModelRequest> {
  const given = settings.filter((name) => options[name] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, options[name]])),
    ...(output !== undefined && { output }),
  };
}

/** Throws for a choice of a tool that is not there: a provider would refuse the whole request. */
export function mustHaveChosen(box: Toolbox, choice: ToolChoice | undefined): void {
  if (typeof choice === 'object') box.only(...('name' in choice ? [choice.name] : choice.allowed));
}

/** What forces a call is let go after the first step: it would force the loop round until its limit. */
export function toolChoiceAt(step: number, choice: ToolChoice | undefined): ToolChoice | undefined {
  if (choice === undefined || step === 1 || choice === 'auto' || choice === 'none') return choice;
  if (typeof choice === 'object' && 'allowed' in choice) return { ...choice, mode: 'auto' };
  return 'auto';
}

/** While a model is asked for its answer alone. Not forced: some providers refuse that of a model that thinks. */
export function answerChoice(answer: FinalAnswer | undefined): ToolChoice {
  return answer?.tool === undefined ? 'none' : { allowed: [answer.tool.name], mode: 'auto' };
}

import type { Message } from '../../../base/message/message.ts';
import type { Model, ModelError, ToolChoice } from '../../../base/message/model.ts';
import type { Usage } from '../../../base/message/usage.ts';
import type { CallRecord } from '../../tool/call/call-record.ts';
import type { RunContext } from '../run-context.ts';

/** What is known before a step. */
export interface StepState {
  /** The step that is about to begin, from 1. */
  readonly step: number;
  /** What would be sent: the history, or what an earlier `prepareStep` made of it. */
  readonly messages: readonly Message[];
  readonly calls: readonly CallRecord[];
  /** Of the reply before. */
  readonly usage: Usage | undefined;
  /** The model has just refused these messages as too long: the step is asked once more if they come back shorter. */
  readonly tooLong: ModelError | undefined;
  readonly signal: AbortSignal;
}

/** What is to be different in this step, and in this step only. */
export interface StepChange {
  readonly model?: Model;
  readonly system?: string;
  /** What is sent in place of the history. The run's own history stays whole. */
  readonly messages?: readonly Message[];
  /** Names of the tools that are offered, among those of the run. */
  readonly tools?: readonly string[];
  readonly toolChoice?: ToolChoice;
}

/** Asked before each step; nothing changed is nothing answered. */
export type PrepareStep = (
  state: StepState,
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a function that only looks answers nothing
) => StepChange | undefined | void | Promise<StepChange | undefined | void>;

/** The changes of all that were asked, in order: each sees the messages that the one before it made. */
export async function prepareStep(
  { options, log, callRunner, deadlines, cancellation }: RunContext,
  tooLong?: ModelError,
): Promise<StepChange> {
  const { prepareStep: asked } = options;
  let change: StepChange = {};
  for (const prepare of asked === undefined ? [] : typeof asked === 'function' ? [asked] : asked) {
    const said = prepare({
      step: callRunner.step,
      messages: change.messages ?? log.messages,
      calls: log.records,
      usage: log.entries.at(-1)?.usage,
      tooLong,
      signal: cancellation.signal,
    });
    const more = said instanceof Promise ? await deadlines.until(said) : said;
    change = { ...change, ...more };
  }
  return change;
}

/** The messages with other words of the system. */
export function withSystem(messages: readonly Message[], system: string | undefined): readonly Message[] {
  if (system === undefined) return messages;
  const rest = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  return [{ role: 'system', content: system }, ...rest];
}

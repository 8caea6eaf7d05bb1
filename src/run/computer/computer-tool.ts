import type { JsonObject } from '../../base/json/value.ts';
import type { Action, SafetyCheck } from '../../base/message/action.ts';
import type { Call } from '../../base/message/call.ts';
import { fitImage, type ImageLimits, type Size } from '../../base/message/frame.ts';
import type { ResultPart } from '../../base/message/part.ts';
import { tool, type FunctionTool } from '../tool/define-tool.ts';
import { failCall } from '../tool/failure.ts';
import { toolOutput } from '../tool/output.ts';
import type { Computer } from './computer.ts';
import { type CallPerformer, ComputerSession, type SessionOptions } from './session.ts';

export interface ComputerToolOptions extends SessionOptions {
  /** The API whose model uses the computer: `anthropic`, `openai-responses`, `gemini`, … */
  readonly api: string;
  /** The entry of the request that declares the tool, such as `{ type: 'computer' }`, as the API documents it. */
  readonly entry: JsonObject;
  /** The size of the pictures that the model is shown; the screen as far as Anthropic's older tools take it, unless told. */
  readonly display?: Size;
  /** Asked where a provider wants a person's consent before an action; without it the action is not done. */
  readonly acknowledge?: (checks: readonly SafetyCheck[], call: Call) => boolean | Promise<boolean>;
  /** Whoever performs in place of a session of its own: a `Recorder`, for example. */
  readonly performer?: CallPerformer;
}

interface ComputerInput {
  readonly actions: readonly Action[];
  readonly safetyChecks: readonly SafetyCheck[];
  readonly call: Call;
}

/** What every provider takes without making it smaller by itself. */
const careful: ImageLimits = { longEdge: 1568, pixels: 1_150_000 };

/**
 * A computer as a tool for the loop, under the provider's own tool for computers. The actions of a turn run in order and
 * stop at the first that fails. The computer is the caller's: who opened it ends it.
 * @example const screen = computerTool(browser, { api: 'openai-responses', entry: { type: 'computer' } });
 */
export function computerTool(
  computer: Computer,
  options: ComputerToolOptions,
): FunctionTool<JsonObject, unknown, ComputerInput> {
  const { api, entry, display = fitImage(computer.screen, careful), acknowledge } = options;
  const performer = options.performer ?? new ComputerSession(computer, options);
  // OpenAI and Gemini take no answer without a picture.
  const wantsPicture = !/anthropic/.test(api);
  let failed: { readonly step: number; readonly messages: unknown } | undefined;
  return tool({
    name: 'computer',
    description: 'Does what is asked on a screen with a pointer and a keyboard',
    spec: { kind: 'hosted', name: 'computer', api, entry },
    concurrency: 'one-at-a-time',
    timeout: false,
    outputBudget: false,
    run: async (input: unknown, { step, messages, signal }) => {
      const { actions, safetyChecks: checks, call } = input as ComputerInput;
      if (failed?.step === step && failed.messages === messages)
        return failCall('Not executed: an earlier computer action in this turn failed.');
      if (checks.length > 0 && (await acknowledge?.(checks, call)) !== true) {
        const said = checks.map(({ code, message }) => message ?? code ?? 'no reason was given').join('; ');
        return failCall(`A person would have to agree to this first, and has not: ${said}`);
      }
      const { failure, texts, picture, url } = await performer.perform({
        actions,
        display,
        wantsPicture,
        signal,
      });
      if (failure !== undefined) {
        failed = { step, messages };
        return failCall(failure.message);
      }
      const parts: ResultPart[] = texts.map((text) => ({ type: 'text', text }));
      if (picture !== undefined) parts.push(imageOf(picture));
      if (parts.length === 0) parts.push({ type: 'text', text: 'OK' });
      return toolOutput(parts, { artifact: { url }, acknowledgedSafetyChecks: checks.map(({ id }) => id) });
    },
  }) as FunctionTool<JsonObject, unknown, ComputerInput>;
}

function imageOf(picture: Buffer): ResultPart {
  const data = picture.toString('base64');
  return { type: 'image', source: { kind: 'base64', data, mediaType: 'image/png' } };
}

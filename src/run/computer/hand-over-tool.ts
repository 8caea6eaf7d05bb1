import type { JsonObject } from '../../base/json/value.ts';
import { type FunctionTool, tool } from '../tool/define-tool.ts';
import type { Computer } from './computer.ts';
import { handOver } from './hand-over.ts';

export interface HandOverRequest {
  /** What the person is asked to do, in the model's words. */
  readonly why: string;
  /** The address of the page. */
  readonly url: string;
  readonly signal: AbortSignal;
}

export interface HandOverOptions {
  /** Tells the person, and ends when they have given the computer back. Throw where they will not do it. */
  readonly ask: (request: HandOverRequest) => Promise<void>;
}

const input: JsonObject = {
  type: 'object',
  properties: { why: { type: 'string', description: 'what they are asked to do, in a sentence' } },
  required: ['why'],
  additionalProperties: false,
};

/**
 * A tool by which a model hands its computer to a person and waits: the way past a login or a CAPTCHA that is not the
 * model's to answer.
 *
 * @example
 * run({ model, tools: [computerTool(browser), handOverTool(browser, { ask })], prompt });
 */
export function handOverTool(
  computer: Computer,
  { ask }: HandOverOptions,
): FunctionTool<JsonObject, unknown> {
  return tool({
    name: 'hand_over',
    description:
      'Hands the screen to a person and waits until they give it back: for a login, a CAPTCHA, a payment, or whatever only they may do. You do not see what they type.',
    input,
    concurrency: 'one-at-a-time',
    timeout: false,
    run: async (asked, { signal }) => {
      const why = String(asked['why']);
      const url = computer.address();
      {
        await using _theirs = await handOver(computer);
        await ask({ why, url, signal });
      }
      const now = computer.address();
      return `The person has given the screen back.${now === url ? '' : ` The address is now ${now}.`} Look at it before you go on.`;
    },
  });
}

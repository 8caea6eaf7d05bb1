import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Action, SafetyCheck } from '../../base/message/action.ts';
import { readArguments } from '../../base/message/arguments.ts';
import type { Call } from '../../base/message/call.ts';
import { fitImage, type ImageLimits, type Size } from '../../base/message/frame.ts';
import type { Message } from '../../base/message/message.ts';
import type { ResultPart } from '../../base/message/part.ts';
import { sha256 } from '../../base/json/sha256.ts';
import { tool, type FunctionTool } from '../tool/define-tool.ts';
import { failCall } from '../tool/failure.ts';
import { toolOutput } from '../tool/output.ts';
import { actionInput, readActionInput } from './action-input.ts';
import type { Computer } from './computer.ts';
import { eventText } from './event-text.ts';
import { type CallPerformer, ComputerSession, type SessionOptions } from './session.ts';

export interface ComputerToolOptions extends SessionOptions {
  /** The API whose model uses the computer, and the entry that declares the tool there; absent: as the model takes it. */
  readonly api?: string;
  readonly entry?: JsonObject;
  /** The size of the pictures that the model is shown; the screen as far as Anthropic's older tools take it, unless told. */
  readonly display?: Size;
  /** How many of the newest pictures stay in what the model is sent (`keepImages`); all by default. */
  readonly keep?: number;
  /** What the model is sent: `png` unless told; `webp`, lossy and much smaller, from a browser. */
  readonly format?: 'png' | 'webp';
  /** Asked where a provider wants a person's consent before an action; without it the action is not done. */
  readonly acknowledge?: (checks: readonly SafetyCheck[], call: Call) => boolean | Promise<boolean>;
  /** What performs the actions in place of a session of its own: a `Recorder`, for example. */
  readonly performer?: CallPerformer;
}

interface ComputerInput {
  readonly actions: readonly Action[];
  readonly safetyChecks: readonly SafetyCheck[];
  readonly call: Call;
}

/** What every provider takes without making it smaller by itself. */
const careful: ImageLimits = { longEdge: 1568, pixels: 1_150_000 };

const description =
  'Does one action on a screen with a pointer and a keyboard, and tells what came of it. "screenshot" shows the screen.';

/** What a model without a tool for computers may ask for, in a function. */
const onAnyScreen = [
  ...['screenshot', 'left_mouse_click', 'left_mouse_double_click', 'left_mouse_triple_click'],
  ...['middle_click', 'right_click', 'move', 'drag', 'scroll', 'type', 'keypress', 'wait', 'cursor_position'],
] as readonly Action['type'][];
const onPages = [
  ...['element_read', 'element_find', 'element_set_value', 'element_scroll_to', 'page_text', 'navigate'],
  ...['tab_list', 'tab_switch', 'tab_close'],
] as readonly Action['type'][];
const pageFields: JsonObject = {
  url: { type: 'string', description: 'navigate: an address, in place of "history"' },
  tab: { type: 'string', description: 'the number of a tab' },
};

/**
 * A computer as a tool for the loop: under the provider's own tool for computers, in the version that the model takes,
 * or as a plain function where there is none. The actions of a turn run in order and stop at the first that fails. The
 * computer is the caller's: who opened it ends it.
 * @example const screen = computerTool(browser, { keep: 3 });
 */
export function computerTool(
  computer: Computer,
  options: ComputerToolOptions = {},
): FunctionTool<JsonObject, unknown, ComputerInput> {
  const { api, entry, keep, format, display = fitImage(computer.screen, careful), acknowledge } = options;
  const performer = options.performer ?? new ComputerSession(computer, options);
  const { environment } = computer;
  const toWebp = format === 'webp' ? encoderOf(computer) : undefined;
  const input =
    environment === 'browser'
      ? actionInput([...onAnyScreen, ...onPages], pageFields)
      : actionInput(onAnyScreen);
  let failed: { readonly step: number; readonly messages: unknown } | undefined;
  let shown = '';
  return tool({
    name: 'computer',
    description,
    spec:
      entry === undefined
        ? {
            kind: 'hosted',
            name: 'computer',
            api: api ?? 'any',
            entry: {},
            computer: { environment, display, description, input },
          }
        : { kind: 'hosted', name: 'computer', api: api ?? 'any', entry },
    concurrency: 'one-at-a-time',
    timeout: false,
    outputBudget: false,
    ...(keep !== undefined && { keepImages: keep }),
    run: async (asked: unknown, { step, messages, signal }) => {
      const { safetyChecks: checks, call } = asked as ComputerInput;
      if (failed?.step === step && failed.messages === messages)
        return failCall('Not executed: an earlier computer action in this turn failed.');
      if (checks.length > 0 && (await acknowledge?.(checks, call)) !== true) {
        const said = checks.map(({ code, message }) => message ?? code ?? 'no reason was given').join('; ');
        return failCall(`A person would have to agree to this first, and has not: ${said}`);
      }
      let actions: readonly Action[];
      try {
        actions = actionsIn(asked as ComputerInput);
      } catch (error) {
        return failCall((error as Error).message);
      }
      // OpenAI and Gemini take no answer to their own tools without a picture.
      const wantsPicture = call.kind === 'computer' && !apiOf(messages, api).endsWith('anthropic');
      const outcome = await performer.perform({ actions, display, wantsPicture, signal });
      const { failure, texts, effect, picture, url, events } = outcome;
      if (failure !== undefined) {
        failed = { step, messages };
        return failCall(failure.message);
      }
      const words = [...texts, ...events.flatMap((event) => eventText(event) ?? [])];
      if (effect !== undefined) words.push(effect);
      const parts: ResultPart[] = words.map((text) => ({ type: 'text', text }));
      if (picture !== undefined) {
        const name = sha256(picture);
        // What the model has before its eyes is not sent again.
        if (name !== shown || wantsPicture) parts.push(await imageOf(picture, toWebp, signal));
        else parts.push({ type: 'text', text: 'The screen is as the last picture shows it.' });
        shown = name;
      }
      if (parts.length === 0) parts.push({ type: 'text', text: 'OK' });
      return toolOutput(parts, { artifact: { url }, acknowledgedSafetyChecks: checks.map(({ id }) => id) });
    },
  }) as FunctionTool<JsonObject, unknown, ComputerInput>;
}

/** What a call of a computer's tool asks for; the plain function takes one action. */
function actionsIn({ actions, call }: ComputerInput): readonly Action[] {
  if (call.kind === 'computer' || actions.length > 0) return actions;
  const reading = readArguments(call);
  if (!reading.ok) throw new Error('The arguments are not JSON: nothing was done.');
  return [readActionInput(reading.value)];
}

/** Whose words the last reply was in. */
function apiOf(messages: readonly Message[], otherwise: string | undefined): string {
  const last = messages.findLast((message) => message.role === 'assistant');
  return otherwise ?? (last?.role === 'assistant' ? last.from?.api : undefined) ?? '';
}

type Encoder = NonNullable<Computer['toWebp']>;

function encoderOf(computer: Computer): Encoder {
  if (computer.toWebp !== undefined) return computer.toWebp.bind(computer);
  throw new WhetstoneError(
    'computer_option_invalid',
    'The format "webp" is made by a browser, and this computer is a display: its pictures are "png".',
  );
}

async function imageOf(
  picture: Buffer,
  toWebp: Encoder | undefined,
  signal: AbortSignal,
): Promise<ResultPart> {
  const data = toWebp === undefined ? picture : await toWebp(picture, signal);
  const mediaType = toWebp === undefined ? 'image/png' : 'image/webp';
  return { type: 'image', source: { kind: 'base64', data: data.toString('base64'), mediaType } };
}

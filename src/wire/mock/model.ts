import { sleep } from '../../base/host/clock.ts';
import { isWhetstoneError } from '../../base/host/errors.ts';
import type {
  Model,
  ModelCallOptions,
  ModelError,
  ModelEvent,
  ModelRequest,
  Reply,
} from '../../base/message/model.ts';
import { ReplyAssembler } from '../reply/assemble-reply.ts';
import { readError } from '../reply/error.ts';
import { playError, playReply } from './play.ts';
import type { Moment } from './play.ts';
import { ScriptPlayer } from './player.ts';
import type { Asked, MockReplyFields, MockScript, MockStep } from './script.ts';

/** A model that answers from a script, without a server: for tests of what is above a model. */
export interface MockModel extends Model {
  /** What was asked, in order. */
  readonly asked: readonly Asked[];
  /** The steps of the script that nothing has asked for. */
  readonly unconsumed: readonly MockStep[];
}

export interface MockModelOptions {
  readonly name?: string;
}

/**
 * @example
 * const model = mockModel([{ calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }, 'It rains.']);
 */
export function mockModel(script: MockScript, options: MockModelOptions = {}): MockModel {
  const player = new ScriptPlayer(script);
  const name = options.name ?? 'mock/model';
  const model: MockModel = {
    name,
    api: 'mock',
    capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
    get asked() {
      return player.asked;
    },
    get unconsumed() {
      return player.unconsumed;
    },
    async generate(request, callOptions) {
      let reply: Reply | undefined;
      for await (const event of model.stream(request, callOptions))
        if (event.type === 'finish') reply = event.reply;
      return reply!;
    },
    stream: (request, callOptions) => answer(player, name, request, callOptions),
  };
  return model;
}

async function* answer(
  player: ScriptPlayer,
  name: string,
  request: ModelRequest,
  { signal }: ModelCallOptions = {},
): AsyncGenerator<ModelEvent> {
  const assembler = new ReplyAssembler('mock', { model: name });
  try {
    for await (const moment of moments(player, name, request, assembler, signal)) {
      if ('pauseMs' in moment) await sleep(moment.pauseMs, { signal });
      else yield moment.event;
      signal?.throwIfAborted();
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    for (const { event } of playError({ kind: 'aborted', message: 'The request was aborted.' }, assembler))
      yield event;
  }
}

async function* moments(
  player: ScriptPlayer,
  model: string,
  request: ModelRequest,
  assembler: ReplyAssembler,
  signal: AbortSignal | undefined,
): AsyncGenerator<Moment> {
  signal?.throwIfAborted();
  const index = player.asked.length;
  const reply = await nextReply(player, model, request);
  if ('kind' in reply) return yield* playError(reply, assembler);
  const { fault } = reply;
  if (fault?.hang) await forever(signal);
  if (fault?.pauseMs !== undefined) yield { pauseMs: fault.pauseMs };
  if (fault?.status !== undefined) {
    const wait = fault.retryAfter === undefined ? undefined : fault.retryAfter * 1000;
    const error = readError(fault.status, { error: { message: fault.message ?? 'A scripted fault.' } }, wait);
    return yield* playError(error, assembler);
  }
  yield* playReply(reply, assembler, {
    model,
    id: `reply_${index}`,
    callId: (call) => `call_${index}_${call}`,
    cutAfter: fault?.cutAfter,
  });
}

/** A script that has run out is an answer too: the request was one that nobody expected. */
async function nextReply(
  player: ScriptPlayer,
  model: string,
  request: ModelRequest,
): Promise<MockReplyFields | ModelError> {
  try {
    return await player.next({ request, model, api: 'mock', stream: true });
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    // What a function of the script throws is thrown here: it may be an assertion of the test.
    if (error.code !== 'mock_exhausted') throw (error.cause as Error | undefined) ?? error;
    return { kind: 'invalid_request', message: error.message };
  }
}

function forever(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason as Error);
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

import type { Call } from '../src/base/message/call.ts';
import type { Model, ModelEvent, ModelRequest, Reply } from '../src/base/message/model.ts';
import type { AssistantPart } from '../src/base/message/part.ts';
import type { Finish } from '../src/base/message/usage.ts';

/** One thing a scripted model does: a part of its reply, a wait, a break. */
export type Act =
  | string
  | Call
  | AssistantPart
  /** Waits for it, signal or no signal. */
  | Promise<unknown>
  /** Does it when it comes to it, and waits. */
  | { readonly wait: () => Promise<unknown> }
  | { readonly finish: Finish['reason'] }
  /** The connection is lost: the stream ends without a word. */
  | { readonly lost: true }
  | { readonly throws: unknown };

/** A model that plays one list of acts a request, event by event: for tests that need to be between two events. */
export interface ScriptedModel extends Model {
  /** What was asked, with the histories as they were then. */
  readonly asked: ModelRequest[];
}

export function scriptedModel(
  ...replies: readonly (readonly Act[] | ((request: ModelRequest) => readonly Act[]))[]
): ScriptedModel {
  const asked: ModelRequest[] = [];
  const stream = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    const reply = replies[asked.length] ?? ['(the script is over)'];
    asked.push({ ...request, messages: [...request.messages] });
    yield* play(typeof reply === 'function' ? reply(request) : reply);
  };
  return {
    name: 'test/scripted',
    api: 'test',
    capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
    asked,
    stream,
    async generate(request) {
      let last: Reply | undefined;
      for await (const event of stream(request)) if (event.type === 'finish') last = event.reply;
      if (last === undefined) throw new Error('The connection was lost.');
      return last;
    },
  };
}

async function* play(acts: readonly Act[]): AsyncGenerator<ModelEvent> {
  const content: AssistantPart[] = [];
  let finish: Finish['reason'] | undefined;
  for (const act of acts) {
    const slot = content.length;
    if (typeof act === 'string') {
      content.push({ type: 'text', text: act });
      yield { type: 'text', slot, text: act };
    } else if (act instanceof Promise) await act;
    else if ('wait' in act) await act.wait();
    else if ('lost' in act) return;
    else if ('finish' in act) finish = act.finish;
    else if ('throws' in act) throw act.throws;
    else {
      content.push(act);
      yield* eventsOf(act, slot);
    }
  }
  const reason = finish ?? (content.some((part) => part.type === 'call') ? 'calls' : 'stop');
  const usage = { input: 10, output: 5, total: 15 };
  yield { type: 'usage', usage };
  yield {
    type: 'finish',
    reply: {
      message: { role: 'assistant', content },
      finish: { reason },
      usage,
      complete: reason !== 'error',
    },
  };
}

function* eventsOf(part: AssistantPart, slot: number): Generator<ModelEvent> {
  if (part.type !== 'call') return yield { type: 'part', slot, part };
  const { id, name, kind, requiresLocalExecution } = part;
  yield { type: 'call-start', slot, id, name, kind, requiresLocalExecution };
  const text = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments);
  for (let at = 0; at < text.length; at += 8)
    yield { type: 'call-delta', slot, text: text.slice(at, at + 8) };
  yield { type: 'call-end', slot, call: part };
}

/** A call as a provider gives it. */
export function call(id: string, name: string, args: Call['arguments'] = {}, more: Partial<Call> = {}): Call {
  return { type: 'call', id, name, arguments: args, kind: 'function', requiresLocalExecution: true, ...more };
}

/** A promise and the way to settle it. */
export function gate<Value = void>(): {
  readonly promise: Promise<Value>;
  readonly open: (value: Value) => void;
} {
  const { promise, resolve } = Promise.withResolvers<Value>();
  return { promise, open: resolve };
}

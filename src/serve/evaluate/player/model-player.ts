import { systemClock } from '../../../base/host/clock.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { readArguments } from '../../../base/message/arguments.ts';
import type { Call } from '../../../base/message/call.ts';
import {
  type AssistantMessage,
  assistantMessage,
  callsOf,
  type Message,
  textOf,
} from '../../../base/message/message.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { Model, ModelEvent, Reply, ToolSpec } from '../../../base/message/model.ts';
import { textPart, type UserPart } from '../../../base/message/part.ts';
import { textResult } from '../../../base/message/result.ts';
import { addUsage, noUsage, type Usage } from '../../../base/message/usage.ts';
import type { EpisodeAnswer, ForkAnswer } from '../../api/episode.ts';
import type { EpisodeTurn, TurnOutcome } from '../../api/turn.ts';
import type { Message as SentMessage, Observation } from '../../api/message.ts';
import { toolSpec } from '../../api/tool-spec.ts';
import type { SentUsage } from '../../api/usage.ts';
import type { Player } from '../../client/play-episode.ts';
import { listenTo } from './exchanges.ts';

export interface ModelPlayer extends Player {
  /** Tokens of all its replies so far. */
  readonly usage: Usage;
}

/** A model plays: it is told what an operator is told, and its calls go to the episode as it wrote them. */
export function modelPlayer(
  model: Model,
  episode: EpisodeAnswer & Partial<ForkAnswer>,
  onEvent: (event: ModelEvent) => void = () => undefined,
): ModelPlayer {
  const tools = episode.tools.map(toolSpec);
  const messages: Message[] = [openingMessage(episode.initial_observation)];
  let usage = noUsage;
  let took: SentUsage = {};
  let calls: readonly Call[] = [];
  // The turns of a fork, as if the model had played them itself: the answer to the last one comes with `next`.
  for (const [index, turn] of (episode.turns ?? []).entries()) {
    const before = episode.turns?.[index - 1];
    if (before !== undefined) messages.push(...answered(calls, before));
    const reply = playedReply(turn);
    messages.push(reply);
    calls = callsOf(reply);
  }
  return {
    get usage() {
      return usage;
    },
    took: () => took,
    async next(_turn, last) {
      if (last !== undefined) messages.push(...answered(calls, last));
      const began = systemClock.monotonic();
      let errors = 0;
      const { value: reply, exchanges } = await listenTo(() =>
        ask(model, { messages, tools }, (event) => {
          if (event.type === 'retry') errors += 1;
          onEvent(event);
        }),
      );
      took = {
        ...(reply.usage && { input_tokens: reply.usage.input, output_tokens: reply.usage.output }),
        latency_ms: Math.round(systemClock.monotonic() - began),
        errors,
        ...(exchanges.length > 0 && { exchanges }),
      };
      if (reply.usage !== undefined) usage = addUsage(usage, reply.usage);
      messages.push(reply.message);
      calls = callsOf(reply.message).filter((call) => call.requiresLocalExecution);
      const words = textOf(reply.message);
      if (words === '' && calls.length === 0) return undefined;
      return [asSent(words, calls)];
    },
  };
}

async function ask(
  model: Model,
  request: { readonly messages: readonly Message[]; readonly tools: readonly ToolSpec[] },
  onEvent: (event: ModelEvent) => void,
): Promise<Reply> {
  let reply: Reply | undefined;
  for await (const event of model.stream({ ...request, messages: [...request.messages] })) {
    onEvent(event);
    if (event.type === 'finish') ({ reply } = event);
  }
  if (reply === undefined || reply.error !== undefined || !reply.complete)
    throw new WhetstoneError(
      'model_failed',
      `${model.name} did not finish its reply, so the episode is ended as it stands: ${reply?.error?.message ?? 'the stream broke off.'}`,
      { details: { model: model.name, kind: reply?.error?.kind } },
    );
  return reply;
}

/** The pictures come before the words that speak of them, each behind its title. */
function openingMessage({ content, images = [] }: Observation): Message {
  if (images.length === 0) return { role: 'user', content };
  const shown = images.flatMap(({ title, media_type: mediaType, data }): readonly UserPart[] => [
    textPart(`${title}:`),
    { type: 'image', source: { kind: 'base64', data, mediaType } },
  ]);
  return { role: 'user', content: [...shown, textPart(content)] };
}

/** What was sent in a turn that is over, as the reply of a model. */
function playedReply({ turn, messages }: EpisodeTurn): AssistantMessage {
  const said = messages.filter(({ role }) => role !== 'user');
  const calls = said.flatMap(({ tool_calls = [] }) => tool_calls);
  const words = said.map(({ content }) => content).filter((content) => content !== '');
  return assistantMessage([
    ...(words.length === 0 ? [] : [{ type: 'text' as const, text: words.join('\n') }]),
    ...calls.map(({ name, input }, index): Call => ({
      type: 'call',
      id: `call_${turn}_${index + 1}`,
      name,
      arguments: isJsonObject(input) ? input : JSON.stringify(input),
      idMadeUp: true,
      kind: 'function',
      requiresLocalExecution: true,
    })),
  ]);
}

/** What came back: a result for each call, and the person's words. */
function answered(calls: readonly Call[], last: TurnOutcome): readonly Message[] {
  const results = calls.map((call, index) => textResult(call, last.results?.[index]?.output ?? 'Received.'));
  const words = last.observation.content;
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
    ...(words === '' ? [] : [{ role: 'user' as const, content: words }]),
  ];
}

/** The calls go as the model wrote them: what is not JSON is for the grade to judge. */
function asSent(content: string, calls: readonly Call[]): SentMessage {
  const tool_calls = calls.map((call) => {
    const reading = readArguments(call);
    return { name: call.name, input: reading.ok ? reading.value : String(call.arguments) };
  });
  return { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) };
}

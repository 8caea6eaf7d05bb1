import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { resultText } from '../../../base/message/result.ts';
import { type Message, textOf, userMessage } from '../../../base/message/message.ts';
import type { Model, Reply } from '../../../base/message/model.ts';
import { run } from '../../../run/loop/run.ts';
import type { CallRecord } from '../../../run/tool/call/call-record.ts';
import type { Toolbox } from '../../../run/tool/toolbox.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { callOf, type PlayedQuestion } from './played-question.ts';

export interface TwoPhaseOptions {
  readonly model: Model;
  readonly tools: Toolbox;
  /** Replies that may call tools; 5 when left out. */
  readonly steps?: number;
}

/**
 * Two phases: in each reply the model decides between `tool_call` and `synthesis`, and its calls run while it decides
 * for calls. Then it is asked once more, with all results, for the answer. Without a call its last words are the answer.
 */
export async function playTwoPhases(
  question: string,
  { model, tools, steps = 5 }: TwoPhaseOptions,
): Promise<PlayedQuestion> {
  const outcome = await run({
    model: deciding(model),
    tools,
    prompt: reasoningPrompt(question, tools),
    limits: { steps },
    prepareStep: ({ calls, messages, step }) =>
      step === 1 ? {} : { messages: [...messages, userMessage(followUp(calls))] },
  });
  const ran = outcome.calls.map(callOf);
  const messages: Message[] = [...outcome.messages];
  if (ran.length === 0) {
    return {
      answer: answerOf(outcome.text),
      calls: ran,
      replies: outcome.steps,
      ended: outcome.stop,
      messages,
    };
  }
  const asked = userMessage(synthesisPrompt(question, outcome.calls));
  const reply = await model.generate({ messages: [asked] });
  if (reply.error !== undefined || !reply.complete)
    throw new WhetstoneError(
      'model_failed',
      `The model ${model.name} gave no whole answer: ${reply.error?.message ?? 'its reply broke off.'}`,
      { details: { kind: reply.error?.kind, outcome } },
    );
  messages.push(asked, reply.message);
  return {
    answer: answerOf(textOf(reply.message)),
    calls: ran,
    replies: outcome.steps + 1,
    ended: outcome.stop,
    messages,
  };
}

/** The decision of a reply counts, and not its calls: calls beside `synthesis` are left out. */
function deciding(model: Model): Model {
  const decided = (reply: Reply): Reply => {
    if (decisionOf(textOf(reply.message)) !== 'synthesis') return reply;
    const content = reply.message.content.filter((part) => part.type !== 'call');
    return {
      ...reply,
      message: { ...reply.message, content },
      finish: { ...reply.finish, reason: 'stop' },
    };
  };
  return {
    name: model.name,
    api: model.api,
    capabilities: model.capabilities,
    generate: async (request, options) => decided(await model.generate(request, options)),
    // Calls would run as they stream, before the decision is known.
    async *stream(request, options) {
      yield { type: 'finish', reply: decided(await model.generate(request, options)) };
    },
  };
}

function decisionOf(text: string): string | undefined {
  const decision = readObject(text)?.['decision'];
  return typeof decision === 'string' ? decision : undefined;
}

/** The `answer` of a synthesis; whatever else the model wrote is the answer as it is. */
function answerOf(text: string): string {
  const answer = readObject(text)?.['answer'];
  if (answer === undefined || answer === null) return decisionOf(text) === undefined ? text : '';
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

function readObject(text: string): JsonObject | undefined {
  const bare = /```(?:json)?\s*\n([\s\S]*?)\n?```/.exec(text)?.[1] ?? text.trim();
  try {
    const value: unknown = JSON.parse(bare);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function reasoningPrompt(question: string, tools: Toolbox): string {
  const known = tools.specs.map((spec) => {
    const description = spec.kind === 'hosted' ? '' : (spec.description ?? '');
    return `- ${spec.name}: ${description}`;
  });
  return `Answer this question. First gather what you need with the tools.

Question: ${question}

Tools:
${known.join('\n') || 'None.'}

Results so far: No tool results yet.

${decide}`;
}

function followUp(calls: readonly CallRecord[]): string {
  return `Results so far:\n${resultsOf(calls)}\n\n${decide}`;
}

const decide = `Decide what comes next, and write one JSON object: {"decision": "tool_call" or "synthesis", "reasoning": why}. With "tool_call", call the tools beside it. With "synthesis", you have what you need, and call nothing.`;

function synthesisPrompt(question: string, calls: readonly CallRecord[]): string {
  return `Question: ${question}

Results of the tools:
${resultsOf(calls)}

Answer the question from these results, with one JSON object and nothing else: {"reasoning": how the answer follows, "answer": the answer}.`;
}

function resultsOf(calls: readonly CallRecord[]): string {
  return calls
    .map(
      (record) =>
        `${record.call.name}(${JSON.stringify(callOf(record).arguments)}): ${resultText(record.result)}`,
    )
    .join('\n');
}

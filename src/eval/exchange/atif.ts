import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { callsOf, type Message, reasoningOf, textOf } from '../../base/message/message.ts';
import { resultText } from '../../base/message/result.ts';
import { assistantOf, callOf, chatText, imageAt, imageUrl, resultOf } from './chat-messages.ts';
import { numberAt, numbersAt, objectAt, objectsAt, textAt } from './fields.ts';
import {
  functionOf,
  headOf,
  readFunctions,
  type ReplyTokens,
  type Trajectory,
  withHead,
} from './trajectory.ts';

/**
 * A document of ATIF 1.8, which Harbor and trainers read. Its objects are closed: what they have no field for is in
 * `extra`, and the reward too, for which there is none.
 */
export function writeAtif(trajectory: Trajectory): JsonObject {
  const { id, agent, tools, messages, tokens, startedAt } = trajectory;
  const steps: JsonObject[] = [];
  let reply = 0;
  messages.forEach((message, index) => {
    const head = { step_id: steps.length + 1, ...(index === 0 && startedAt && { timestamp: startedAt }) };
    if (message.role === 'system') steps.push({ ...head, source: 'system', message: textOf(message) });
    else if (message.role === 'user') steps.push({ ...head, source: 'user', ...userStep(message.content) });
    else if (message.role === 'assistant') {
      const told = tokens.find((one) => one.reply === reply);
      reply += 1;
      const next = messages[index + 1];
      steps.push({ ...head, ...agentStep(message, next, told), ...modelOf(agent.model) });
    } else if (messages[index - 1]?.role !== 'assistant') {
      // Results without a reply before them: nothing in ATIF can hold them but a step without words.
      steps.push({ ...head, source: 'agent', message: '', llm_call_count: 0, ...observationOf(message, []) });
    }
  });
  return {
    schema_version: 'ATIF-v1.8',
    session_id: id,
    trajectory_id: id,
    agent: {
      name: agent.name,
      version: agent.version ?? 'unknown',
      ...modelOf(agent.model),
      ...(tools.length > 0 && { tool_definitions: tools.map(functionOf) }),
    },
    // At least one step is asked for.
    steps: steps.length > 0 ? steps : [{ step_id: 1, source: 'system', message: '' }],
    ...(tokens.length === 0 && { notes: 'The provider reported no token ids, and none were computed.' }),
    final_metrics: { total_steps: Math.max(1, steps.length) },
    extra: {
      whetstone: gradeIn(trajectory),
      trajectory: { ...headOf(trajectory), messages: messages.length },
    },
  };
}

/** The names that trainers look for: ATIF has no field for a reward. */
function gradeIn({ id, grade, ended }: Trajectory): JsonObject {
  return {
    episode_id: id,
    ...(ended !== undefined && { terminal_reason: ended }),
    ...(grade && {
      reward: grade.reward,
      ...(grade.success !== undefined && { success: Number(grade.success) }),
      ...(grade.progress !== undefined && { progress: grade.progress }),
      scores: grade.scores,
      ...(grade.notJudged !== undefined && { not_judged: grade.notJudged }),
      ...(grade.personFault && { person_fault: grade.personFault }),
    }),
  };
}

function modelOf(model: string | undefined): JsonObject {
  return model === undefined ? {} : { model_name: model };
}

function userStep(content: Extract<Message, { role: 'user' }>['content']): JsonObject {
  if (typeof content === 'string') return { message: content };
  const images = content.flatMap((part) => (part.type === 'image' ? [imageUrl(part)] : []));
  const message = content.map((part) => ({
    type: 'text',
    text: part.type === 'text' ? part.text : `[${part.type}]`,
  }));
  // ATIF keeps media in files next to the document, but here is only the document: they stay in it.
  return { message, ...(images.length > 0 && { extra: { images } }) };
}

function agentStep(
  message: Extract<Message, { role: 'assistant' }>,
  next: Message | undefined,
  told: ReplyTokens | undefined,
): JsonObject {
  const reasoning = reasoningOf(message);
  const calls = callsOf(message);
  const ids = calls.map(({ id }) => id);
  return {
    source: 'agent',
    message: textOf(message),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        tool_call_id: id,
        function_name: name,
        arguments: typeof given === 'string' ? {} : given,
        ...(typeof given === 'string' && { extra: { arguments_text: given } }),
      })),
    }),
    ...(told && { metrics: metricsOf(told) }),
    llm_call_count: 1,
    ...(next?.role === 'tool' && observationOf(next, ids)),
  };
}

/** A result names a call of its own step only; what it names otherwise stays in `extra`. */
function observationOf({ results }: Extract<Message, { role: 'tool' }>, ids: readonly string[]): JsonObject {
  return {
    observation: {
      results: results.map((result) => {
        const extra = {
          name: result.name,
          ...(result.isError === true && { is_error: true }),
          ...(!ids.includes(result.callId) && { call_id: result.callId }),
        };
        return {
          ...(ids.includes(result.callId) && { source_call_id: result.callId }),
          content: resultText(result),
          extra,
        };
      }),
    },
  };
}

function metricsOf({ promptIds, ids, logprobs, mask, policyVersion }: ReplyTokens): JsonObject {
  const extra = {
    ...(mask && { mask }),
    ...(policyVersion !== undefined && { policy_version: policyVersion }),
  };
  return {
    ...(promptIds && { prompt_tokens: promptIds.length, prompt_token_ids: promptIds }),
    ...(ids && { completion_tokens: ids.length, completion_token_ids: ids }),
    ...(logprobs && { logprobs }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** A trajectory of ATIF of any version from 1.0 on. */
export function readAtif(document: JsonObject, name: string): Trajectory {
  const agent = objectAt(document, 'agent');
  const messages: Message[] = [];
  const tokens: ReplyTokens[] = [];
  let reply = 0;
  for (const step of objectsAt(document, 'steps')) {
    const results = objectsAt(objectAt(step, 'observation'), 'results');
    if (step['source'] === 'agent') {
      const calls = objectsAt(step, 'tool_calls').map(readCall);
      const said = assistantOf({
        text: chatText(step['message']),
        reasoning: textAt(step, 'reasoning_content') ?? '',
        calls,
      });
      // A step that no model made holds what came without a reply.
      if (step['llm_call_count'] !== 0 || said.content.length > 0) {
        messages.push(said);
        const told = readTokens(objectAt(step, 'metrics'), reply);
        if (told) tokens.push(told);
        reply += 1;
      }
      const names = new Map(calls.map((call) => [call.id, call.name]));
      if (results.length > 0)
        messages.push({ role: 'tool', results: results.map((result) => readResult(result, names)) });
      continue;
    }
    if (step['source'] === 'system') messages.push({ role: 'system', content: chatText(step['message']) });
    else messages.push({ role: 'user', content: readUser(step) });
    if (results.length > 0)
      messages.push({ role: 'tool', results: results.map((result) => readResult(result, new Map())) });
  }
  const { trajectory, ...extra } = objectAt(document, 'extra');
  const count = isJsonObject(trajectory) ? trajectory['messages'] : undefined;
  const own = withHead(withoutCount(trajectory), count === 0 ? [] : messages);
  if (own !== undefined) return own;
  const id = textAt(document, 'trajectory_id') ?? textAt(document, 'session_id') ?? name;
  const version = textAt(agent, 'version');
  const model = textAt(agent, 'model_name');
  return {
    id,
    task: id,
    trial: 1,
    agent: { name: textAt(agent, 'name') ?? 'unknown', ...(version && { version }), ...(model && { model }) },
    tools: readFunctions(agent['tool_definitions']),
    messages,
    tokens,
    metadata: {
      ...extra,
      ...(document['final_metrics'] !== undefined && { final_metrics: document['final_metrics'] }),
    },
  };
}

function withoutCount(head: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(head)) return undefined;
  const { messages: _, ...rest } = head;
  return rest;
}

function readUser(step: JsonObject): Extract<Message, { role: 'user' }>['content'] {
  const { message } = step;
  if (!Array.isArray(message)) return chatText(message);
  const images = (objectAt(step, 'extra')['images'] ?? []) as readonly JsonValue[];
  let image = 0;
  return objectsAt(step, 'message').map((part) => {
    const path = textAt(objectAt(part, 'source'), 'path');
    if (path !== undefined) return imageAt(path);
    const text = textAt(part, 'text') ?? '';
    const kept = text === '[image]' ? images[image++] : undefined;
    return typeof kept === 'string' ? imageAt(kept) : { type: 'text' as const, text };
  });
}

function readCall(call: JsonObject) {
  const text = textAt(objectAt(call, 'extra'), 'arguments_text');
  const read = callOf(
    textAt(call, 'tool_call_id') ?? '',
    textAt(call, 'function_name') ?? '',
    call['arguments'],
  );
  return text === undefined ? read : { ...read, arguments: text };
}

function readResult(result: JsonObject, names: ReadonlyMap<string, string>) {
  const extra = objectAt(result, 'extra');
  const id = textAt(result, 'source_call_id') ?? textAt(extra, 'call_id') ?? '';
  return resultOf(id, textAt(extra, 'name') ?? names.get(id) ?? '', {
    text: chatText(result['content']),
    isError: extra['is_error'] === true,
  });
}

function readTokens(metrics: JsonObject, reply: number): ReplyTokens | undefined {
  const promptIds = numbersAt(metrics, 'prompt_token_ids');
  const ids = numbersAt(metrics, 'completion_token_ids');
  const logprobs = numbersAt(metrics, 'logprobs');
  if (promptIds === undefined && ids === undefined && logprobs === undefined) return undefined;
  const extra = objectAt(metrics, 'extra');
  const mask = numbersAt(extra, 'mask');
  const version = extra['policy_version'] ?? undefined;
  return {
    reply,
    ...(promptIds && { promptIds }),
    ...(ids && { ids }),
    ...(logprobs && { logprobs }),
    ...(mask && { mask }),
    ...(version !== undefined && { policyVersion: String(version) }),
  };
}

/** Whether a document says that it is of ATIF. */
export function isAtif(document: JsonObject): boolean {
  return (
    /^ATIF-v/i.test(textAt(document, 'schema_version') ?? '') && numberAt(document, 'version') === undefined
  );
}

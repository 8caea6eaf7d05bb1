import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import { readChat, writeChat } from './chat-messages.ts';
import { numberAt, numbersAt, objectAt, objectsAt, textAt } from './fields.ts';
import {
  functionOf,
  headOf,
  readFunctions,
  type ReplyTokens,
  type Trajectory,
  withHead,
} from './trajectory.ts';

/** A line of `results.jsonl` as verifiers writes it: what the model was given, and what came of it. */
export function writeVerifiers(trajectory: Trajectory, index: number): JsonObject {
  const { task, tools, messages, grade, ended, error } = trajectory;
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const cut = first < 0 ? messages.length : first;
  return {
    example_id: index,
    prompt: writeChat(messages.slice(0, cut)),
    completion: writeChat(messages.slice(cut)),
    answer: '',
    task,
    info: { whetstone: headOf(trajectory) },
    reward: grade?.reward ?? null,
    metrics: { ...grade?.scores },
    error: error ?? null,
    is_completed: ended !== undefined,
    is_truncated: ended === 'max_turns_reached',
    stop_condition: ended ?? null,
    tool_defs: tools.map(functionOf),
  };
}

/** A line of `results.jsonl`, or an episode of `traces.jsonl`, of which each trace is a trajectory. */
export function readVerifiers(line: JsonObject, name: string): readonly Trajectory[] {
  if (Array.isArray(line['traces']))
    return objectsAt(line, 'traces').map((trace, index) => readTrace(trace, `${name}-${index + 1}`));
  const messages = readChat([...chatAt(line, 'prompt'), ...chatAt(line, 'completion')]);
  const { whetstone, ...info } = objectAt(line, 'info');
  const own = withHead(whetstone, messages);
  if (own !== undefined) return [own];
  const example = line['example_id'] ?? line['id'] ?? name;
  return [
    {
      id: name,
      task: `${textAt(line, 'task') ?? 'example'}/${String(example)}`,
      trial: 1,
      agent: { name: textAt(line, 'model') ?? 'unknown' },
      tools: readFunctions(line['tool_defs'] ?? line['tools']),
      messages,
      grade: { reward: numberAt(line, 'reward') ?? null, scores: scoresIn(objectAt(line, 'metrics')) },
      tokens: [],
      ...endOf(line),
      metadata: { ...info, ...(line['answer'] !== undefined && { answer: line['answer'] }) },
    },
  ];
}

/** A prompt may be a text. */
function chatAt(line: JsonObject, name: string): readonly JsonObject[] {
  const value = line[name];
  if (typeof value !== 'string') return objectsAt(line, name);
  return [{ role: name === 'prompt' ? 'user' : 'assistant', content: value }];
}

/** Nodes are a graph: the trace is the way from its root to its last leaf. */
function readTrace(trace: JsonObject, name: string): Trajectory {
  const nodes = objectsAt(trace, 'nodes');
  const way: JsonObject[] = [];
  const seen = new Set<number>();
  for (let at: number | undefined = nodes.length - 1; at !== undefined && at >= 0 && !seen.has(at);) {
    seen.add(at);
    way.unshift(nodes[at]!);
    at = numberAt(nodes[at]!, 'parent');
  }
  const tokens: ReplyTokens[] = [];
  const before: number[] = [];
  let told = true;
  let reply = 0;
  const messages: readonly Message[] = readChat(way.map((node) => objectAt(node, 'message')));
  for (const node of way) {
    const ids = numbersAt(node, 'token_ids');
    if (objectAt(node, 'message')['role'] === 'assistant') {
      const mask = numbersAt(node, 'mask');
      const logprobs = numbersAt(node, 'logprobs');
      if (ids !== undefined && node['sampled'] === true)
        tokens.push({
          reply,
          ids,
          ...(told && { promptIds: [...before] }),
          ...(mask && { mask }),
          ...(logprobs && { logprobs }),
        });
      reply += 1;
    }
    if (ids === undefined) told = false;
    else before.push(...ids);
  }
  const rewards = objectAt(trace, 'rewards');
  const reward = Object.values(rewards)
    .filter(isJsonObject)
    .reduce((sum, one) => sum + (numberAt(one, 'score') ?? 0) * (numberAt(one, 'weight') ?? 1), 0);
  const task = objectAt(trace, 'task');
  const agent = trace['agent'];
  return {
    id: textAt(trace, 'id') ?? name,
    task: String(task['key'] ?? task['hash'] ?? task['type'] ?? name),
    trial: 1,
    agent: {
      name:
        typeof agent === 'string'
          ? agent
          : isJsonObject(agent)
            ? String(agent['name'] ?? 'unknown')
            : 'unknown',
    },
    tools: readFunctions(trace['tools']),
    messages,
    grade: {
      reward: Object.keys(rewards).length === 0 ? null : reward,
      scores: scoresIn(objectAt(trace, 'metrics')),
    },
    tokens,
    ...endOf(trace),
    metadata: objectAt(trace, 'info'),
  };
}

function endOf(line: JsonObject): Pick<Trajectory, 'ended' | 'error'> {
  const stop = textAt(line, 'stop_condition');
  const error: JsonValue | undefined = line['error'] ?? undefined;
  return {
    ...(stop !== undefined && { ended: stop }),
    ...(error !== undefined && { error: typeof error === 'string' ? error : JSON.stringify(error) }),
  };
}

function scoresIn(metrics: JsonObject): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    Object.entries(metrics).filter(
      (entry): entry is [string, number | null] => entry[1] === null || typeof entry[1] === 'number',
    ),
  );
}

import { systemMessage } from '../../base/message/message.ts';
import type { Model, ModelRequest, Reply } from '../../base/message/model.ts';
import { costOf } from '../../run/loop/price.ts';
import type { ModelSpec } from '../suite/suite.ts';

/** What was asked of a model, and what it cost. */
export interface Spent {
  readonly requests: number;
  readonly tokens: number;
  /** Absent where the player has no price, or a reply came without a count. */
  readonly cost?: number;
}

export const nothingSpent: Spent = { requests: 0, tokens: 0, cost: 0 };

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    requests: a.requests + b.requests,
    tokens: a.tokens + b.tokens,
    ...(a.cost !== undefined && b.cost !== undefined && { cost: a.cost + b.cost }),
  };
}

/** A model as one player has it: with the player's system prompt and sampling; each reply is counted. */
export function playerModel(
  model: Model,
  { system, sampling, price }: Pick<ModelSpec, 'system' | 'sampling' | 'price'>,
  onReply: (spent: Spent) => void,
): Model {
  const prepared = (request: ModelRequest): ModelRequest => ({
    ...request,
    ...sampling,
    ...(system !== undefined && { messages: [systemMessage(system), ...request.messages] }),
  });
  const count = ({ usage }: Reply): void => {
    const cost = costOf(usage, price);
    onReply({ requests: 1, tokens: usage?.total ?? 0, ...(cost !== undefined && { cost }) });
  };
  return {
    name: model.name,
    api: model.api,
    capabilities: model.capabilities,
    async generate(request, options) {
      const reply = await model.generate(prepared(request), options);
      count(reply);
      return reply;
    },
    async *stream(request, options) {
      for await (const event of model.stream(prepared(request), options)) {
        if (event.type === 'finish') count(event.reply);
        yield event;
      }
    },
  };
}

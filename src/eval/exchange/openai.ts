import type { JsonObject } from '../../base/json/value.ts';
import { readChat, writeChat } from './chat-messages.ts';
import { objectAt, objectsAt, textAt } from './fields.ts';
import { functionOf, headOf, readFunctions, type Trajectory, withHead } from './trajectory.ts';

/** A line as OpenAI's fine-tuning and most data sets have it; what it has no field for is in `metadata.whetstone`. */
export function writeOpenAI(trajectory: Trajectory): JsonObject {
  const { tools, messages } = trajectory;
  return {
    messages: writeChat(messages),
    ...(tools.length > 0 && { tools: tools.map(functionOf) }),
    metadata: { whetstone: headOf(trajectory) },
  };
}

export function readOpenAI(line: JsonObject, name: string): Trajectory {
  const messages = readChat(objectsAt(line, 'messages'));
  const { whetstone, ...metadata } = objectAt(line, 'metadata');
  return (
    withHead(whetstone, messages) ?? {
      id: textAt(line, 'id') ?? name,
      task: textAt(line, 'id') ?? name,
      trial: 1,
      agent: { name: textAt(line, 'model') ?? 'unknown' },
      tools: readFunctions(line['tools']),
      messages,
      tokens: [],
      metadata,
    }
  );
}

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Transcript } from '../../grade/scenario/transcript.ts';
import { harmless } from './terminal-text.ts';

/** A transcript as `whet grade` reads it, with the task that it is of. */
export function transcriptJson({ task, turns }: Transcript): JsonObject {
  const { collection, scenario, variant, seed } = task;
  return {
    task: { collection, scenario, variant, seed },
    turns: turns.map(({ turn, messages, observation }) => ({
      turn,
      messages: messages.map(({ role, content, toolCalls }) => ({
        role,
        content,
        ...(toolCalls !== undefined && {
          tool_calls: toolCalls.map(({ name, input }) => ({ name, input })),
        }),
      })),
      observation: { content: observation.content },
    })),
  } satisfies Record<string, JsonValue>;
}

/** What was said and called, a line each, as a person reads it. */
export function transcriptText({ turns }: Pick<Transcript, 'turns'>): string {
  const lines = turns.flatMap(({ turn, messages, outcomes, observation }) => [
    ...messages
      .filter(({ role }) => role === 'assistant')
      .flatMap(({ content, toolCalls = [] }) => [
        ...(content === '' && toolCalls.length > 0 ? [] : [`${turn}  Operator: ${content}`]),
        ...toolCalls.map(({ name, input }) => `${turn}  → ${name} ${JSON.stringify(input)}`),
      ]),
    ...outcomes.map(({ name, output }) => `${turn}  ← ${name}: ${output}`),
    ...(observation.content === '' ? [] : [`${turn}  Person: ${observation.content}`]),
  ]);
  return harmless(lines.join('\n'));
}

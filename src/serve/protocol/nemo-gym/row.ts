import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { TaskChoice } from '../../../grade/episode/request.ts';
import { integerAt, nameAt, objectAt, requiredNameAt } from '../../http/fields.ts';
import { invalid } from '../../http/refusal.ts';

/** What our MCP server is called in the agents' configurations; their calls come back with it before the name. */
export const mcpServerName = 'whetstone';

/** The task that a row of the dataset names, in its `verifier_metadata`. */
export function readRow(body: unknown): { readonly task: TaskChoice; readonly group?: string } {
  const metadata = objectAt(objectAt(body, '')['verifier_metadata'], 'verifier_metadata');
  const at = (name: string): string => `verifier_metadata.${name}`;
  const range = { min: 0, max: Number.MAX_SAFE_INTEGER };
  const seed = integerAt(metadata['seed'], at('seed'), range);
  const group = nameAt(metadata['group'], at('group'));
  return {
    task: {
      collection: requiredNameAt(metadata['collection'], at('collection')),
      scenario: requiredNameAt(metadata['scenario'], at('scenario')),
      variant: integerAt(metadata['variant'], at('variant'), range) ?? 0,
      ...(seed !== undefined && { seed }),
    },
    ...(group !== undefined && { group }),
  };
}

/** A session plays one task: a row of another is the sender's mistake. */
export function mustBeTaskOf(
  record: EpisodeRecord,
  { collection, scenario, variant, seed }: TaskChoice,
): void {
  const isSame =
    record.collection === collection &&
    record.scenario === scenario &&
    record.variant === variant &&
    record.seed === (seed ?? 0);
  if (!isSame)
    throw invalid(
      'verifier_metadata',
      `names ${collection}/${scenario}, variant ${variant}, but this session plays ${record.collection}/${record.scenario}, variant ${record.variant}.`,
    );
}

/** A call as the model wrote it; `input` is undefined where its arguments are not JSON. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue | undefined;
}

/** What a response of the model holds: its words, and its calls in order. */
export function readResponse(body: JsonObject): {
  readonly words: string;
  readonly calls: readonly WrittenCall[];
} {
  const { output } = objectAt(body['response'], 'response');
  if (!Array.isArray(output)) throw invalid('response.output', 'must be a list.');
  const words: string[] = [];
  const calls: WrittenCall[] = [];
  for (const item of output) {
    if (!isJsonObject(item)) continue;
    if (item['type'] === 'function_call') calls.push(readCall(item));
    // A user's message may be among them: those are the person's words.
    if ((item['type'] ?? 'message') === 'message' && item['role'] === 'assistant')
      words.push(...textsOf(item['content']));
  }
  return { words: words.join('\n'), calls };
}

function readCall({ call_id: id, name, arguments: written }: JsonObject): WrittenCall {
  const prefix = `mcp__${mcpServerName}__`;
  const full = String(name);
  return {
    id: String(id),
    name: full.startsWith(prefix) ? full.slice(prefix.length) : full,
    input: readArguments(written),
  };
}

function readArguments(written: JsonValue | undefined): JsonValue | undefined {
  if (typeof written !== 'string') return undefined;
  try {
    return JSON.parse(written) as JsonValue;
  } catch {
    return undefined; // The agent has told the model so; nothing was run.
  }
}

function textsOf(content: JsonValue | undefined): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) =>
    isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
}

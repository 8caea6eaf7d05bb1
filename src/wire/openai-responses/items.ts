import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Call } from '../../base/message/call.ts';
import { textOf } from '../../base/message/message.ts';
import type { AssistantMessage, Message } from '../../base/message/message.ts';
import type { DocumentPart, ImagePart, ResultPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import { argumentsAsText } from '../../base/message/arguments.ts';
import { wireArgumentsText } from '../request/bind-tools.ts';
import type { ToolBinding } from '../request/bind-tools.ts';
import { urlOf } from '../data-url.ts';
import { omitUndefined, objectOf, objectsOf, parseJson, restOf } from '../json-fields.ts';
import { errorText, resultText, wordlessError } from '../request/result-text.ts';
import { writeActions } from './computer.ts';
import type { Content, Item, PatchOutput, ScreenshotOutput, ShellOutput } from './types.ts';

export const api = 'openai-responses';

/** Writes messages as items; remembers the calls, since a result's shape depends on its call's. */
export class ItemWriter {
  readonly #tools: ToolBinding | undefined;
  readonly #isStored: boolean;
  /** As a reply, reasoning that no item of the API is behind is told too; back to the API it would be refused. */
  readonly #tellReasoning: boolean;
  readonly #calls = new Map<string, Call>();
  /** What the model saw last. */
  #screen: ImagePart | undefined;

  constructor(tools: ToolBinding | undefined, { isStored = true, tellReasoning = false } = {}) {
    this.#tools = tools;
    this.#isStored = isStored;
    this.#tellReasoning = tellReasoning;
  }

  message(message: Message): readonly Item[] {
    switch (message.role) {
      case 'system': {
        const raw =
          typeof message.content === 'string' ? [] : message.content.filter((part) => part.type === 'other');
        if (raw.length > 0) return raw.map((part) => part.raw);
        return [{ role: 'system', content: textOf(message), ...message.providerData?.[api] }];
      }
      case 'user': {
        const { content } = message;
        if (typeof content !== 'string') this.#look(content);
        const said = typeof content === 'string' ? content : content.flatMap(writePart);
        return [{ role: 'user', content: said, ...message.providerData?.[api] }];
      }
      case 'assistant':
        return this.assistant(message);
      case 'tool':
        return [...message.results.map((result) => this.#result(result)), ...this.#besides(message.results)];
    }
  }

  #look(parts: readonly { readonly type: string }[]): void {
    this.#screen = parts.findLast((part): part is ImagePart => part.type === 'image') ?? this.#screen;
  }

  /** The answer to actions is a screenshot and nothing else: what was said of them, errors too, is behind. */
  #besides(results: readonly Result[]): readonly Item[] {
    const told = results.flatMap((result): readonly Content[] => {
      const isScreenshot = this.#calls.get(result.callId)?.kind === 'computer';
      if (!isScreenshot || result.providerData?.[api]?.['item'] !== undefined) return [];
      const text = resultText({ ...result, content: result.content.filter(({ type }) => type === 'text') });
      if (text === '' || text === 'OK') return [];
      return [{ type: 'input_text', text: `From the result of ${result.name} (${result.callId}): ${text}` }];
    });
    return told.length === 0 ? [] : [{ role: 'user', content: told }];
  }

  assistant(message: AssistantMessage): readonly Item[] {
    const items: Record<string, JsonValue>[] = [];
    let open: JsonValue | undefined;
    for (const part of message.content) {
      const echo = part.providerData?.[api];
      const raw = echo?.['item'];
      switch (part.type) {
        case 'text':
        case 'refusal': {
          const content: JsonObject =
            part.type === 'text'
              ? { type: 'output_text', text: part.text, annotations: [], ...objectOf(echo?.['content']) }
              : { type: 'refusal', refusal: part.text };
          const last = items.at(-1);
          if (last !== undefined && isSameItem(raw, open)) {
            last['content'] = [...(last['content'] as readonly JsonValue[]), content];
            break;
          }
          const item = raw === undefined ? { role: 'assistant' } : objectOf(raw);
          items.push({ ...item, content: raw === undefined ? part.text : [content] });
          open = raw;
          break;
        }
        case 'reasoning':
        case 'hosted-result':
          if (raw !== undefined && this.#isKnown(objectOf(raw))) items.push(againItem(objectOf(raw)));
          else if (this.#tellReasoning && part.type === 'reasoning')
            items.push({ type: 'reasoning', summary: [{ type: 'summary_text', text: part.text }] });
          break;
        case 'call':
          this.#calls.set(part.id, part);
          items.push({ ...this.#call(part) });
          break;
        case 'other':
          if (part.api === api) items.push({ ...part.raw });
          break;
        case 'image':
          break;
      }
      if (part.type !== 'text' && part.type !== 'refusal') open = undefined;
    }
    const ordered = wordsFirst(items);
    return this.#tellReasoning ? ordered : withoutLastReasoning(ordered);
  }

  #call(call: Call): JsonObject {
    const echo = call.providerData?.[api];
    const raw = echo?.['item'];
    if (raw !== undefined) return objectOf(raw);
    if (call.kind === 'computer')
      return {
        type: 'computer_call',
        call_id: call.id,
        ...saidActions(call),
        pending_safety_checks: [],
        status: 'completed',
      };
    const name = this.#tools?.wireName(call.name) ?? call.name;
    const rest = echo;
    if (call.kind === 'custom')
      return { type: 'custom_tool_call', call_id: call.id, name, input: String(call.arguments), ...rest };
    return {
      type: 'function_call',
      call_id: call.id,
      name,
      arguments: this.#tellReasoning ? argumentsAsText(call) : wireArgumentsText(call),
      ...rest,
    };
  }

  #result(result: Result): Item {
    const raw = result.providerData?.[api]?.['item'];
    this.#look(result.content);
    if (raw !== undefined) return objectOf(raw);
    const call = this.#calls.get(result.callId);
    const shape = objectOf(call?.providerData?.[api]?.['item']);
    const base = { call_id: result.callId };
    switch (call?.kind === 'computer' ? 'computer_call' : shape['type']) {
      case 'computer_call':
        return writeScreenshot(result, call, this.#screen);
      case 'tool_search_call':
        return { ...base, type: 'tool_search_output', ...foundTools(result) };
      case 'local_shell_call':
        return { ...base, type: 'local_shell_call_output', output: resultText(result) };
      case 'shell_call': {
        const outcome = { type: 'exit' as const, exit_code: result.isError === true ? 1 : 0 };
        const output = [{ stdout: resultText({ ...result, isError: false }), stderr: '', outcome }];
        return { ...base, type: 'shell_call_output', output } satisfies ShellOutput;
      }
      case 'apply_patch_call': {
        const status = result.isError === true ? 'failed' : 'completed';
        return {
          ...base,
          type: 'apply_patch_call_output',
          status,
          output: resultText({ ...result, isError: false }),
        } satisfies PatchOutput;
      }
    }
    const caller = call?.providerData?.[api]?.['caller'];
    return omitUndefined({
      ...base,
      type:
        call?.kind === 'custom' ? ('custom_tool_call_output' as const) : ('function_call_output' as const),
      output: this.#declaresOutput(result) ? jsonText(resultText(result)) : writeOutput(result),
      caller,
    });
  }

  /** The result of a function that declares its output is refused unless it is JSON. */
  #declaresOutput({ name, content }: Result): boolean {
    const spec = this.#tools?.bound(name)?.spec;
    if (spec === undefined || spec.kind === 'hosted') return false;
    return (
      isJsonObject(spec.providerOptions?.[api]?.['output_schema']) &&
      content.every(({ type }) => type === 'text')
    );
  }

  /** What the API did not keep it cannot look up by its id: reasoning must then hold its own content. */
  #isKnown(item: JsonObject): boolean {
    return this.#isStored || item['type'] !== 'reasoning' || typeof item['encrypted_content'] === 'string';
  }
}

/** Contents of one item came as parts of their own. */
function isSameItem(raw: JsonValue | undefined, open: JsonValue | undefined): boolean {
  const id = objectOf(raw)['id'];
  return raw !== undefined && (raw === open || (id !== undefined && id === objectOf(open)['id']));
}

/** The items of a reply's message. */
export function writeAssistantItems(message: AssistantMessage): readonly Item[] {
  return new ItemWriter(undefined, { tellReasoning: true }).assistant(message);
}

/** Reasoning as it came, but for its `status`, which OpenAI refuses, and with `summary`, which Meta wants and leaves out. */
function againItem(item: JsonObject): Record<string, JsonValue> {
  return item['type'] === 'reasoning' ? { summary: [], ...restOf(item, ['status']) } : { ...item };
}

/**
 * Some hosts (DeepSeek) want the answers right behind the calls, and nothing between these. Words that the API itself
 * said there, which have an id, stay where they were.
 */
function wordsFirst(items: readonly JsonObject[]): readonly JsonObject[] {
  let first = items.findIndex(({ type }) => typeof type === 'string' && type.endsWith('_call'));
  // Reasoning stays before the call that it led to.
  while (items[first - 1]?.['type'] === 'reasoning') first--;
  const isPlain = (item: JsonObject, index: number): boolean =>
    index > first && item['role'] === 'assistant' && item['id'] === undefined;
  if (first < 0 || !items.some(isPlain)) return items;
  return [
    ...items.slice(0, first),
    ...items.filter(isPlain),
    ...items.slice(first).filter((item, index) => !isPlain(item, index + first)),
  ];
}

function jsonText(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text;
}

/** Text where text says it all; content parts where there is more. */
function writeOutput(result: Result): string | readonly Content[] {
  if (result.content.every((part) => part.type === 'text')) return resultText(result);
  const parts = result.content.flatMap(writePart);
  if (result.isError !== true) return parts;
  // A picture alone would not say that the tool failed.
  if (!parts.some((part) => part.type === 'input_text'))
    return [{ type: 'input_text', text: errorText(wordlessError) }, ...parts];
  return parts.map((part) =>
    part.type === 'input_text' ? { ...part, text: errorText(String(part.text)) } : part,
  ) as readonly Content[];
}

/** A search that we ran is answered with tools: those that the result holds as JSON, if it holds any. */
function foundTools(result: Result): JsonObject {
  const [only] = result.content;
  const given = only?.type === 'text' ? parseJson(only.text) : undefined;
  const tools = Array.isArray(given) ? given : objectOf(given)['tools'];
  return { execution: 'client', status: 'completed', tools: objectsOf(tools) };
}

/** As a call of this API has them, or else as the actions that they mean. */
function saidActions(call: Call): JsonObject {
  const given = typeof call.arguments === 'string' ? {} : call.arguments;
  if (given['action'] !== undefined) return { action: given['action'] };
  return { actions: given['actions'] ?? writeActions(call.actions ?? []).actions };
}

/** Without a picture the API takes no answer: then it is what was seen last, and before anything was seen, nothing. */
function writeScreenshot(
  result: Result,
  call: Call | undefined,
  seen: ImagePart = nothingSeen,
): ScreenshotOutput {
  const image = result.content.find((part) => part.type === 'image') ?? seen;
  const acknowledged = (call?.safetyChecks ?? []).filter((check) =>
    result.acknowledgedSafetyChecks?.includes(check.id),
  );
  return omitUndefined({
    call_id: result.callId,
    type: 'computer_call_output' as const,
    output: { type: 'computer_screenshot' as const, image_url: urlOf(image.source) },
    acknowledged_safety_checks: acknowledged.length > 0 ? acknowledged : undefined,
  });
}

/** One transparent pixel. */
const nothingSeen: ImagePart = {
  type: 'image',
  source: {
    kind: 'base64',
    mediaType: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
};

function writePart(part: UserPart | ResultPart): readonly Content[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'input_text', text: part.text }];
    case 'image': {
      const detail = part.detail === 'original' ? 'high' : (part.detail ?? 'auto');
      return [{ type: 'input_image', image_url: urlOf(part.source), detail }];
    }
    case 'document':
      return [writeDocument(part)];
    case 'other':
      return part.api === api ? [part.raw] : [];
  }
}

function writeDocument(part: DocumentPart): Content {
  const { source } = part;
  if (source.kind === 'text') return { type: 'input_text', text: source.text };
  if (source.kind === 'url')
    return omitUndefined({ type: 'input_file' as const, file_url: source.url, filename: part.title });
  return { type: 'input_file', file_data: urlOf(source), filename: part.title ?? 'document' };
}

/** An aborted reply may end behind its reasoning, and the API refuses reasoning without the item that follows it. */
function withoutLastReasoning(items: readonly JsonObject[]): readonly JsonObject[] {
  const last = items.findLastIndex((item) => item['type'] !== 'reasoning');
  return items.slice(0, last + 1);
}

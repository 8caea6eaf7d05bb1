import { isJsonObject } from '../src/base/json/value.ts';
import type { JsonObject, JsonValue } from '../src/base/json/value.ts';
import type { Dialect } from '../src/base/dialect/dialect.ts';
import { lower } from '../src/base/dialect/lower.ts';
import { camelFields } from '../src/wire/gemini/camel.ts';

/** The objects of a list. */
export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}

/**
 * A text is a list with one `input_text`, a text input is one user message, the detail of an image is `auto`, and
 * texts of the system are joined. An assistant's plain words may be in a `message` item or not.
 */
export function normalResponses(body: JsonObject): JsonObject {
  const { input } = body;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objects(input);
  return { ...body, input: items.map(normalItem), instructions: body['instructions'] || null };
}

function normalItem(item: JsonObject): JsonObject {
  const { content, output, ...rest } = item;
  const texts = objects(content);
  const plain =
    texts.length > 0 &&
    texts.every((part) => Object.keys(part).every((key) => key === 'type' || key === 'text'));
  if (item['role'] === 'assistant' && item['type'] === undefined)
    return { ...rest, content: plain ? texts.map((part) => part['text']).join('') : content! };
  if (item['role'] === 'system' || item['role'] === 'developer')
    return {
      ...rest,
      ...(content !== undefined && {
        content: plain ? texts.map((part) => part['text']).join('\n') : content,
      }),
    };
  if (item['type'] === 'message' && item['role'] === 'assistant')
    return { ...item, content: texts.map((part) => ({ annotations: [], ...part })) };
  return {
    ...rest,
    ...(content !== undefined && {
      content: typeof content === 'string' ? [{ type: 'input_text', text: content }] : texts.map(normalPart),
    }),
    ...(output !== undefined && {
      output:
        Array.isArray(output) && objects(output).every((part) => part['type'] === 'input_text')
          ? objects(output)
              .map((part) => part['text'])
              .join('\n')
          : Array.isArray(output)
            ? objects(output).map(normalPart)
            : output,
    }),
  };
}

function normalPart(part: JsonObject): JsonObject {
  return part['type'] === 'input_image' ? { detail: 'auto', ...part } : part;
}

/**
 * Names in camelCase, modes in capitals, a missing role is the user, neighbours of one role are one content with
 * its results first, `parameters` is `parametersJsonSchema` with types in small letters, no parameters are none.
 */
export function normalGemini(given: JsonObject): JsonObject {
  const { contents, tools, toolConfig, systemInstruction, generationConfig, ...rest } = camelFields(given);
  const merged: { role: JsonValue; parts: readonly JsonObject[] }[] = [];
  const list: readonly JsonObject[] =
    typeof contents === 'string' ? [{ parts: [{ text: contents }] }] : objects(contents);
  for (const content of list) {
    const role = content['role'] ?? 'user';
    const parts = objects(content['parts']).map(({ text, functionCall, ...part }) => ({
      ...part,
      // No arguments are empty ones.
      ...(isJsonObject(functionCall) && { functionCall: { args: {}, ...functionCall } }),
      ...(text !== undefined && { text }),
    }));
    const last = merged.at(-1);
    if (last !== undefined && last.role === role) last.parts = [...last.parts, ...parts];
    else merged.push({ role, parts });
  }
  for (const content of merged) {
    const isResult = (part: JsonObject): boolean => 'functionResponse' in part;
    if (content.role === 'user')
      content.parts = [...content.parts.filter(isResult), ...content.parts.filter((part) => !isResult(part))];
    else content.parts = content.parts.filter((part) => part['text'] !== '' || 'thoughtSignature' in part);
  }
  const config = isJsonObject(toolConfig) ? toolConfig['functionCallingConfig'] : undefined;
  const declarations = objects(tools).flatMap((tool) => objects(tool['functionDeclarations']));
  const hosted = objects(tools).flatMap(({ functionDeclarations: _own, ...other }) =>
    Object.entries(other).map(([name, entry]): JsonObject => ({ [name]: entry })),
  );
  const settings = isJsonObject(generationConfig) ? generationConfig : {};
  const thinking = settings['thinkingConfig'];
  return {
    ...rest,
    contents: merged,
    tools: [
      ...(declarations.length > 0 ? [{ functionDeclarations: declarations.map(normalDeclaration) }] : []),
      ...hosted,
    ],
    ...(isJsonObject(toolConfig) && {
      toolConfig: {
        ...toolConfig,
        functionCallingConfig: isJsonObject(config)
          ? { ...config, mode: String(config['mode'] ?? '').toUpperCase() }
          : null,
      },
    }),
    ...(isJsonObject(systemInstruction) && {
      systemInstruction: objects(systemInstruction['parts']).map((part) => part['text'] ?? part),
    }),
    ...(Object.keys(settings).length > 0 && {
      generationConfig: {
        ...settings,
        ...(isJsonObject(thinking) && {
          thinkingConfig: {
            ...thinking,
            ...(thinking['thinkingLevel'] !== undefined && {
              thinkingLevel: String(thinking['thinkingLevel']).toLowerCase(),
            }),
          },
        }),
      },
    }),
  };
}

function normalDeclaration({ parameters, parametersJsonSchema, ...rest }: JsonObject): JsonObject {
  const schema = lowerTypes(parametersJsonSchema ?? parameters ?? {});
  const isEmpty =
    !isJsonObject(schema) ||
    (objectKeys(schema['properties']).length === 0 && schema['additionalProperties'] !== true);
  return { ...rest, parameters: isEmpty ? null : asShown(schema, 'gemini-json-schema') };
}

/** A schema as a provider is shown it: what lowering says in words says the same. */
function asShown(schema: JsonValue, dialect: Dialect): JsonValue {
  return isJsonObject(schema) ? (lower(schema, dialect).schema as JsonValue) : schema;
}

function asShownTools(tools: JsonValue | undefined, dialect: Dialect): JsonValue {
  const list = objects(tools).map((tool): JsonObject => {
    const own = tool['function'];
    return isJsonObject(own)
      ? { ...tool, function: { ...own, parameters: asShown(own['parameters'] ?? null, dialect) } }
      : tool;
  });
  return list.length > 0 ? list : null;
}

function objectKeys(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function lowerTypes(value: JsonValue, key = ''): JsonValue {
  const numbered = ['unspecified', 'string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
  if (key === 'type' && typeof value === 'number') return numbered[value] ?? value;
  if (key === 'type' && typeof value === 'string') return value.toLowerCase();
  if (Array.isArray(value)) return value.map((each: JsonValue) => lowerTypes(each));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, lowerTypes(each, key === 'properties' ? '' : name)]),
  );
}

/** Blank texts are left out, neighbours of one role are one message with its results first, empty settings are none. */
export function normalConverse(body: JsonObject): JsonObject {
  const { messages, system, inferenceConfig, schemaVersion: _version, ...rest } = body;
  const merged: { role: JsonValue; content: readonly JsonObject[] }[] = [];
  for (const message of objects(messages)) {
    const content = objects(message['content'])
      .filter((block) => typeof block['text'] !== 'string' || block['text'].trim() !== '')
      .map(({ type: _type, ...block }) => block);
    const last = merged.at(-1);
    if (last !== undefined && last.role === message['role']) last.content = [...last.content, ...content];
    else merged.push({ role: message['role']!, content });
  }
  for (const message of merged) {
    const isResult = (block: JsonObject): boolean => 'toolResult' in block;
    message.content = [
      ...message.content.filter(isResult),
      ...message.content.filter((block) => !isResult(block)),
    ];
  }
  return {
    ...rest,
    messages: merged,
    system: objects(system).length > 0 ? system! : null,
    inferenceConfig: objectKeys(inferenceConfig).length > 0 ? inferenceConfig! : null,
  };
}

/** A text is a list with one text part, empty texts are left out, a result of texts is one text. */
export function normalCohere(body: JsonObject): JsonObject {
  const parts = (content: JsonValue | undefined): readonly JsonObject[] =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)).filter(
      (part) => part['text'] !== '',
    );
  return {
    ...body,
    tools: asShownTools(body['tools'], 'cohere'),
    messages: objects(body['messages']).map((message) => {
      const content = parts(message['content']);
      const text = content.every((part) => part['type'] === 'text')
        ? content.map((part) => part['text']).join('\n')
        : content;
      return { ...message, content: message['role'] === 'tool' ? text : content.length > 0 ? content : null };
    }),
  };
}

/** Streaming is the default; which tool a result answers may be said or follow from the order. */
export function normalOllama(body: JsonObject): JsonObject {
  return {
    ...body,
    stream: body['stream'] ?? true,
    tools: asShownTools(body['tools'], 'ollama'),
    options: objectKeys(body['options']).length > 0 ? body['options']! : null,
    messages: objects(body['messages']).map(
      ({ tool_name: _name, tool_call_id: _id, name: _older, ...message }) => message,
    ),
  };
}

import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { requireDict, requireText } from '../python/field.ts';
import { writeJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { SpeakerTool } from '../seat/speaker.ts';
import { jsonOf } from '../seat/tool-description.ts';
import type { LanguageName } from './language.ts';

/** A function as a provider takes it. Names have `_` for `.`, which not every provider takes in a name. */
export function toolOf(value: PythonValue, language: LanguageName): SpeakerTool {
  const written = requireDict(value, 'function');
  const parameters = jsonOf(requireDict(written.get('parameters'), 'function.parameters')) as JsonObject;
  return {
    name: requireText(written.get('name'), 'function.name').replaceAll('.', '_'),
    description: descriptionOf(written),
    input: {
      ...(schemaOf(parameters) as JsonObject),
      ...(language !== 'python' && {
        properties: textProperties(parameters['properties'], language),
      }),
    },
  };
}

/** Functions of several turns also say what they answer. */
function descriptionOf(written: PythonDict): string {
  const description = requireText(written.get('description'), 'function.description');
  const response = written.get('response');
  if (response === undefined) return description;
  return `${description} The response field has the following schema: ${writeJson(response)}`;
}

const types: Readonly<Record<string, string>> = { dict: 'object', float: 'number', tuple: 'array' };
const known = new Set(['object', 'number', 'array', 'integer', 'string', 'boolean', 'null']);

/** A schema in Python's words as JSON Schema; a type that is none, such as `any`, is left out. */
function schemaOf(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const { type, properties, items, ...rest } = schema;
  const name = typeof type === 'string' ? (types[type] ?? type) : undefined;
  return {
    ...plainKeywords(rest),
    ...(name !== undefined && known.has(name) && { type: name }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([each, property]) => [each, schemaOf(property)]),
      ),
    }),
    ...(items !== undefined && { items: schemaOf(items) }),
  };
}

/** Whatever else is in a schema may be of no kind that JSON Schema knows: only what models need is kept. */
function plainKeywords({ description, required, enum: values, default: usual }: JsonObject): JsonObject {
  return {
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(required) && { required }),
    ...(Array.isArray(values) && { enum: values }),
    ...(usual !== undefined && { default: usual }),
  };
}

/** The values of Java and JavaScript are written as text, in the language's own form. */
function textProperties(properties: JsonValue | undefined, language: LanguageName): JsonObject {
  if (!isJsonObject(properties)) return {};
  const title = language === 'java' ? 'Java' : 'JavaScript';
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { description = '', type = 'any' } = isJsonObject(property) ? property : {};
      const form = `Write the ${title} value (${String(type)}) as text.`;
      return [name, { type: 'string', description: `${String(description)} ${form}`.trim() }];
    }),
  );
}

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { parseJson } from '../../../base/json/parse.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { readSchema } from '../../../base/schema/read-schema.ts';
import type { Dialect } from '../../../base/dialect/dialect.ts';
import { lower } from '../../../base/dialect/lower.ts';
import type { Report } from '../../../base/dialect/plan.ts';
import { withoutByteOrderMark } from '../../terminal/byte-order-mark.ts';

export type ToolReport =
  | {
      readonly file: string;
      readonly tool: string;
      readonly dialects: Readonly<Record<string, Report | { readonly error: string }>>;
    }
  /** What is there is neither a tool nor a schema. */
  | {
      readonly file: string;
      readonly tool: string;
      readonly error: string;
      readonly dialects: Readonly<Record<string, never>>;
    };

/** What each dialect makes of the tools in some files and folders. */
export function reportTools(paths: readonly string[], dialects: readonly Dialect[]): readonly ToolReport[] {
  const files = paths.flatMap(filesOf);
  if (files.length === 0)
    throw new WhetstoneError(
      'usage',
      `There is no .json or .jsonl file in ${paths.join(', ')}. For tools in TypeScript use \`whet tools inspect\`.`,
    );
  return files.flatMap((file) => reportFile(file, dialects));
}

function filesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
  } catch (cause) {
    throw new WhetstoneError('usage', `There is no ${path}.`, { cause });
  }
  const names = readdirSync(path, { recursive: true }) as readonly string[];
  return names
    .filter((name) => /\.jsonl?$/.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

function reportFile(file: string, dialects: readonly Dialect[]): readonly ToolReport[] {
  let tools: readonly JsonValue[];
  try {
    const text = withoutByteOrderMark(readFileSync(file, 'utf8'));
    if (file.endsWith('.jsonl')) return reportLines(file, text, dialects);
    tools = listOf(parseJson(text));
  } catch (error) {
    return [unreadable(file, file, error)];
  }
  return tools.map((tool, index) => reportTool(file, tool, index, dialects));
}

/** Each line on its own: one that is not JSON does not affect the others. */
function reportLines(file: string, text: string, dialects: readonly Dialect[]): readonly ToolReport[] {
  const lines = text.split('\n').entries();
  return [...lines].flatMap(([at, line]) => {
    if (line.trim() === '') return [];
    try {
      return listOf(parseJson(line)).map((tool) => reportTool(file, tool, at, dialects));
    } catch (error) {
      return [unreadable(file, `${file}#${at}`, error)];
    }
  });
}

function unreadable(file: string, tool: string, error: unknown): ToolReport {
  return { file, tool, error: (error as Error).message, dialects: {} };
}

/** A list of tools, as a server or a request of some provider has it, or one. */
function listOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(listOf);
  if (!isJsonObject(value)) return [value];
  const inner = value['result'] ?? value['toolConfig'];
  if (isJsonObject(inner) && Array.isArray(inner['tools'])) return listOf(inner);
  for (const list of ['tools', 'functionDeclarations', 'function_declarations'])
    if (Array.isArray(value[list])) return (value[list] as readonly JsonValue[]).flatMap(listOf);
  return [value];
}

function reportTool(file: string, tool: JsonValue, index: number, dialects: readonly Dialect[]): ToolReport {
  const { name, schema } = readTool(tool);
  const known = { file, tool: name ?? (index === 0 ? file : `${file}#${index}`) };
  try {
    const { jsonSchema } = readSchema(schema);
    const reports = dialects.map((dialect) => [dialect, reportDialect(jsonSchema, dialect)] as const);
    return { ...known, dialects: Object.fromEntries(reports) };
  } catch (error) {
    return unreadable(file, known.tool, error);
  }
}

function reportDialect(
  schema: Parameters<typeof lower>[0],
  dialect: Dialect,
): Report | { readonly error: string } {
  try {
    return lower(schema, dialect).report;
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** A tool as any of the APIs, MCP or our own list writes it; anything else is taken for a schema. */
function readTool(tool: JsonValue): { readonly name: string | undefined; readonly schema: JsonValue } {
  if (!isJsonObject(tool)) return { name: undefined, schema: tool };
  for (const inner of ['function', 'toolSpec']) if (isJsonObject(tool[inner])) return readTool(tool[inner]);
  const name = [tool['name'], tool['id']].find((one) => typeof one === 'string');
  for (const key of [
    'parameters',
    'input_schema',
    'inputSchema',
    'parametersJsonSchema',
    'input',
    'schema',
  ]) {
    const found = tool[key];
    if (found === undefined || !(isJsonObject(found) || typeof found === 'boolean')) continue;
    const schema =
      isJsonObject(found) && isJsonObject(found['json']) && key === 'inputSchema' ? found['json'] : found;
    return { name, schema };
  }
  return { name: typeof tool['title'] === 'string' ? tool['title'] : name, schema: tool as JsonObject };
}

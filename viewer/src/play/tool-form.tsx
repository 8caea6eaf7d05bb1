import { useState } from 'preact/hooks';

import type { EpisodeTool, ToolCall } from '../../../src/serve/api/message.ts';

type JsonValue = ToolCall['input'];
type JsonObject = NonNullable<EpisodeTool['json_schema']>;

interface ToolFormProps {
  readonly tool: EpisodeTool;
  readonly onCall: (input: JsonValue) => void;
}

/** The input of a tool as fields, by its schema; what no field can hold is written as JSON. */
export function ToolForm({ tool, onCall }: ToolFormProps) {
  const [fault, setFault] = useState<string>();
  const fields =
    tool.mode === 'options'
      ? { value: { enum: tool.options ?? [] } as JsonObject }
      : ((tool.json_schema?.['properties'] ?? {}) as Readonly<Record<string, JsonObject>>);
  return (
    <form
      class="tool-form"
      aria-label={`Call ${tool.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        try {
          const pairs = Object.entries(fields).flatMap(([name, schema]) => {
            const text = String(form.get(name) ?? '');
            return text === '' ? [] : [[name, readField(schema, text)] as const];
          });
          setFault(undefined);
          onCall(Object.fromEntries(pairs));
        } catch (cause) {
          setFault((cause as Error).message);
        }
      }}
    >
      {tool.description !== undefined && <p class="small quiet">{tool.description}</p>}
      {Object.entries(fields).map(([name, schema]) => (
        <label key={name}>
          <span class="small">
            <code>{name}</code> <span class="quiet">{describe(schema)}</span>
          </span>
          <Field name={name} schema={schema} />
        </label>
      ))}
      {fault !== undefined && (
        <p class="bad small" role="alert">
          {fault}
        </p>
      )}
      <p>
        <button class="plain" type="submit">
          Add this call
        </button>
      </p>
    </form>
  );
}

function Field({ name, schema }: { readonly name: string; readonly schema: JsonObject }) {
  const choices = schema['enum'];
  if (Array.isArray(choices))
    return (
      <select name={name}>
        <option value="" />
        {choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </select>
    );
  if (schema['type'] === 'boolean')
    return (
      <select name={name}>
        <option value="" />
        <option>true</option>
        <option>false</option>
      </select>
    );
  if (schema['type'] === 'string' || isTextList(schema)) return <input name={name} />;
  if (schema['type'] === 'number' || schema['type'] === 'integer')
    return <input name={name} inputMode="decimal" />;
  return <textarea name={name} rows={3} />;
}

function readField(schema: JsonObject, text: string): JsonValue {
  const choice = Array.isArray(schema['enum']) && schema['enum'].find((one) => String(one) === text);
  if (choice !== undefined && choice !== false) return choice;
  if (schema['type'] === 'string') return text;
  if (isTextList(schema))
    return text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  return JSON.parse(text) as JsonValue;
}

function isTextList(schema: JsonObject): boolean {
  const items = schema['items'] as JsonObject | undefined;
  return schema['type'] === 'array' && (items?.['type'] === 'string' || Array.isArray(items?.['enum']));
}

function describe(schema: JsonObject): string {
  const words = typeof schema['description'] === 'string' ? schema['description'] : '';
  if (isTextList(schema)) return `${words} (separated by commas)`;
  return schema['type'] === 'object' || (schema['type'] === undefined && !schema['enum'])
    ? `${words} (JSON)`
    : words;
}

import type { EpisodeTool, ToolCall, ToolResult } from '../../src/serve/api/message.ts';
import type { CallNote } from '../../src/serve/api/episode.ts';

interface CallCardProps {
  readonly call: ToolCall;
  readonly tool: EpisodeTool | undefined;
  readonly note: CallNote | undefined;
  readonly result: ToolResult | undefined;
}

/** A call in one line, its note first; what was sent and what came back when it is opened. */
export function CallCard({ call, tool, note, result }: CallCardProps) {
  return (
    <details class="call">
      <summary>
        <strong>{note?.label ?? tool?.name ?? call.name}</strong>
        {note?.detail !== undefined && <span class="quiet">{note.detail}</span>}
        <span class="tag">{tool?.type ?? 'unknown tool'}</span>
        {result?.is_error === true && <span class="bad small">failed</span>}
      </summary>
      <div>
        <p class="small quiet">
          <code>{call.name}</code>
        </p>
        <Input input={call.input} />
        {result !== undefined && (
          <div>
            <p class="small quiet">Result</p>
            <pre class={result.is_error === true ? 'bad' : undefined}>{result.output}</pre>
          </div>
        )}
      </div>
    </details>
  );
}

function Input({ input }: { readonly input: unknown }) {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return <pre>{JSON.stringify(input, undefined, 2)}</pre>;
  return (
    <dl>
      {Object.entries(input).map(([name, value]) => (
        <Pair key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <pre>{typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}</pre>
      </dd>
    </>
  );
}

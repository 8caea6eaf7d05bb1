import { useState } from 'preact/hooks';

import type { CallNote, ExpectedCallView } from '../../../src/serve/api/explanation.ts';
import type { EpisodeTool, ToolCall, ToolResult } from '../../../src/serve/api/message.ts';
import { actionWords } from '../film/action-words.ts';
import { client } from '../frame/server.ts';
import { Output } from '../text/output.tsx';

interface CallCardProps {
  readonly call: ToolCall;
  readonly tool: EpisodeTool | undefined;
  readonly note: CallNote | undefined;
  readonly result: ToolResult | undefined;
  readonly expected: ExpectedCallView | undefined;
  readonly open?: boolean;
}

/** A call in one line, its note first; when it is opened, what was sent, what was expected, and what came back. */
export function CallCard({ call, tool, note, result, expected, open = false }: CallCardProps) {
  // What nobody opened costs nothing: an episode may have twenty thousand calls.
  const [opened, setOpened] = useState(open);
  return (
    <details class="call" open={open} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        {expected && <Verdict holds={expected.holds} />}
        <strong>{(note?.label ?? tool?.name ?? call.name).slice(0, 200)}</strong>
        <span class="quiet detail">{note?.detail ?? inputText(call)}</span>
        <span class="tag">{tool?.type ?? 'unknown tool'}</span>
        {result?.is_error === true && <span class="bad small">✗ failed</span>}
      </summary>
      {opened && (
        <div>
          <p class="small quiet">
            <code>{call.name.slice(0, 500)}</code>
          </p>
          {expected && expected.fields.length > 0 ? <Fields expected={expected} /> : null}
          <div>
            <p class="small quiet">Sent</p>
            <Output
              text={JSON.stringify(call.input, undefined, 2) ?? ''}
              label={`Sent to ${call.name.slice(0, 80)}`}
            />
          </div>
          {result !== undefined && (
            <div>
              <p class="small quiet">Result</p>
              <WholeOutput result={result} />
              {result.images?.map(({ href }, place) => (
                <figure key={place} class="picture">
                  <img src={href} loading="lazy" alt={`Picture ${place + 1} of the result`} />
                </figure>
              ))}
            </div>
          )}
        </div>
      )}
    </details>
  );
}

/** A result; where it was only begun, with the way to the whole of it. */
function WholeOutput({ result }: { readonly result: ToolResult }) {
  const [whole, setWhole] = useState<string>();
  const [fault, setFault] = useState<string>();
  const { output, full, name, is_error: isError = false } = result;
  const show = (href: string): void => {
    client()
      .result(href)
      .then(
        (answer) => setWhole(answer.output),
        (error: Error) => setFault(error.message),
      );
  };
  return (
    <>
      <Output text={whole ?? output} bad={isError} label={`Result of ${name.slice(0, 80)}`} />
      {full !== undefined && whole === undefined && (
        <p class="small">
          <button class="link" type="button" onClick={() => show(full.href)}>
            Ask for the whole result ({Math.ceil(full.bytes / 1000).toLocaleString()} kB)
          </button>{' '}
          {fault !== undefined && <span role="alert">{fault}</span>}
        </p>
      )}
    </>
  );
}

function Verdict({ holds }: { readonly holds: boolean }) {
  const text = holds ? 'as expected' : 'not as expected';
  return (
    <span class={holds ? 'good' : 'bad'} role="img" aria-label={text} title={text}>
      {holds ? '✓' : '✗'}
    </span>
  );
}

/** Expected against got, field by field. */
function Fields({ expected }: { readonly expected: ExpectedCallView }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Expected against got">
      <table class="fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Expected</th>
            <th scope="col">Got</th>
            <th scope="col">Match</th>
          </tr>
        </thead>
        <tbody>
          {expected.fields.map(({ field, expected: wanted, got, share }) => (
            <tr key={field}>
              <td>
                <code>{field}</code>
              </td>
              <td>
                <code>{brief(wanted)}</code>
              </td>
              <td>
                <code>{got === undefined ? '—' : brief(got)}</code>
              </td>
              <td class={share === 1 ? 'good' : share > 0 ? 'middling' : 'bad'}>
                {share === 1 ? '✓ yes' : share > 0 ? `◐ ${share.toFixed(2)}` : '✗ no'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The first words of an input, where nobody made a note of it. */
function inputText({ input, actions }: ToolCall): string {
  const text = actions?.map(actionWords).join(', then ') ?? JSON.stringify(input) ?? '';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}

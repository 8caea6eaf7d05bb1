import { useState } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { EpisodeTool, ToolCall } from '../../../src/serve/api/message.ts';
import { client } from '../frame/server.ts';
import { ToolForm } from './tool-form.tsx';

interface ComposerProps {
  readonly detail: EpisodeDetail;
  readonly played: () => void;
}

/** The next turn of an open episode, played by the person who looks at it: words, calls, or both. */
export function Composer({ detail, played }: ComposerProps) {
  const [say, setSay] = useState('');
  const [calls, setCalls] = useState<readonly ToolCall[]>([]);
  const [tool, setTool] = useState<EpisodeTool>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = (work: () => Promise<unknown>): void => {
    setBusy(true);
    work()
      .then(
        () => {
          setSay('');
          setCalls([]);
          setError(undefined);
          played();
        },
        (cause: Error) => setError(cause.message),
      )
      .finally(() => setBusy(false));
  };
  const send = (): void => {
    const message = {
      role: 'assistant' as const,
      content: say,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    // No number: the episode may have gone on under another's hand, and this turn is then the one after.
    run(() => client().submitTurn(detail.episode_id, { messages: [message] }));
  };
  return (
    <section class="panel composer" aria-label="Your turn">
      <h2>Your turn</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label>
          <span class="small quiet">Say or ask (you play the model)</span>
          <textarea
            rows={3}
            value={say}
            onInput={(event) => setSay(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send();
            }}
          />
        </label>
        {calls.length > 0 && (
          <ul class="plain small">
            {calls.map((call, place) => (
              <li key={place}>
                Will call <code>{call.name}</code> <code>{JSON.stringify(call.input).slice(0, 200)}</code>{' '}
                <button
                  class="link"
                  type="button"
                  onClick={() => setCalls(calls.filter((_, index) => index !== place))}
                >
                  Leave out
                </button>
              </li>
            ))}
          </ul>
        )}
        <p class="row">
          <button class="primary" type="submit" disabled={busy || (say.trim() === '' && calls.length === 0)}>
            Send turn
          </button>
          {detail.tools.length > 0 && (
            <label class="row small">
              <span class="quiet">or add a call</span>
              <select
                value={tool?.id ?? ''}
                onChange={(event) => setTool(detail.tools.find(({ id }) => id === event.currentTarget.value))}
              >
                <option value="">choose a tool</option>
                {detail.tools.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <button
            class="link small"
            type="button"
            disabled={busy}
            onClick={() => run(() => client().endEpisode(detail.episode_id))}
          >
            End the episode and grade it
          </button>
        </p>
      </form>
      {tool && (
        <ToolForm
          key={tool.id}
          tool={tool}
          onCall={(input) => {
            setCalls([...calls, { name: tool.id, input }]);
            setTool(undefined);
          }}
        />
      )}
      {error !== undefined && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}

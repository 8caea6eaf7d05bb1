import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { Client } from '../../../src/serve/client/index.ts';
import { useConnection } from './connection.tsx';
import { client, keepKey } from './server.ts';

interface AskedProps<Answer> {
  readonly ask: (client: Client, signal: AbortSignal) => Promise<Answer>;
  /** Asks again when it changes. */
  readonly about: string;
  /** Asks again when it changes, and shows the last answer until then. */
  readonly pulse?: number;
  readonly children: (answer: Answer, again: () => void) => ComponentChildren;
}

/** Shows what the server answers: the answer, what went wrong and what to do, or a field for the key. */
export function Asked<Answer>({ ask, about, pulse, children }: AskedProps<Answer>) {
  const [answer, setAnswer] = useState<{ readonly value: Answer; readonly about: string }>();
  const [error, setError] = useState<Error>();
  const [round, setRound] = useState(0);
  const again = (): void => setRound((last) => last + 1);
  const { report, returns } = useConnection();
  useEffect(() => {
    const stop = new AbortController();
    ask(client(), stop.signal).then(
      (value) => {
        setAnswer({ value, about });
        setError(undefined);
        report(undefined);
      },
      (cause: Error) => {
        if (stop.signal.aborted) return;
        setError(cause);
        if (statusOf(cause) === undefined) report(cause);
      },
    );
    return () => stop.abort();
    // The server is back after it was lost: what is on the page may be old.
  }, [about, round, returns, pulse]);
  const shown = answer?.about === about ? answer : undefined;
  if (error && statusOf(error) === 401) return <KeyField again={again} />;
  // What is there stays there while the server is away: the bar says so.
  if (error && !(shown && statusOf(error) === undefined)) return <Failure error={error} again={again} />;
  return shown ? <>{children(shown.value, again)}</> : <p class="quiet waiting">Asking the server …</p>;
}

function statusOf(error: Error): number | undefined {
  return (error as { details?: { status?: number } }).details?.status;
}

function Failure({ error, again }: { readonly error: Error; readonly again: () => void }) {
  return (
    <div class="notice" role="alert">
      <h1>This cannot be shown</h1>
      <p>{error.message}</p>
      <p>
        <button class="plain" type="button" onClick={again}>
          Ask again
        </button>{' '}
        <a href="#/">Home</a>
      </p>
    </div>
  );
}

function KeyField({ again }: { readonly again: () => void }) {
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        keepKey(String(new FormData(event.currentTarget).get('key')).trim());
        again();
      }}
    >
      <label>
        This server needs a key. You have not given one, or the server does not know it
        <input name="key" type="password" autocomplete="off" required placeholder="lab_…" />
      </label>
      <button class="plain" type="submit">
        Use it
      </button>
    </form>
  );
}

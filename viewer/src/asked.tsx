import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { connect, type Client } from '../../src/serve/client/index.ts';

const keyName = 'whetstone-key';

/** The server that sent this page, asked with the key that the person gave (kept for this tab only). */
export function client(): Client {
  const key = sessionStorage.getItem(keyName);
  return connect(key === null ? { url: location.origin } : { url: location.origin, key });
}

interface AskedProps<Answer> {
  readonly ask: (client: Client, signal: AbortSignal) => Promise<Answer>;
  /** Asks anew when it changes. */
  readonly about: string;
  readonly children: (answer: Answer, again: () => void) => ComponentChildren;
}

/** Shows what the server answers: the answer, what went wrong and what to do, or a field for the key. */
export function Asked<Answer>({ ask, about, children }: AskedProps<Answer>) {
  const [answer, setAnswer] = useState<{ readonly value: Answer }>();
  const [error, setError] = useState<Error>();
  const [round, setRound] = useState(0);
  const again = (): void => setRound(round + 1);
  useEffect(() => {
    const stop = new AbortController();
    ask(client(), stop.signal).then(
      (value) => {
        setAnswer({ value });
        setError(undefined);
      },
      (cause: Error) => {
        if (!stop.signal.aborted) setError(cause);
      },
    );
    return () => stop.abort();
  }, [about, round]);
  if (error)
    return isUnauthorized(error) ? <KeyField again={again} /> : <Failure error={error} again={again} />;
  return answer ? <>{children(answer.value, again)}</> : <p class="quiet">Asking the server …</p>;
}

function isUnauthorized(error: Error): boolean {
  return (error as { details?: { status?: number } }).details?.status === 401;
}

function Failure({ error, again }: { readonly error: Error; readonly again: () => void }) {
  return (
    <div class="notice" role="alert">
      <p>{error.message}</p>
      <button class="link" type="button" onClick={again}>
        Ask again
      </button>
    </div>
  );
}

function KeyField({ again }: { readonly again: () => void }) {
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        const key = new FormData(event.currentTarget).get('key');
        sessionStorage.setItem(keyName, String(key).trim());
        again();
      }}
    >
      <label>
        This server wants a key
        <input name="key" type="password" autocomplete="off" required placeholder="lab_…" />
      </label>
      <button class="plain" type="submit">
        Use it
      </button>
    </form>
  );
}

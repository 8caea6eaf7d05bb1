import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';

import { client, saved } from './server.ts';

interface Connection {
  readonly state: 'live' | 'reconnecting' | 'lost' | 'saved';
  /** How often the server came back. */
  readonly returns: number;
  /** A request met no server, or (with nothing) met one. */
  readonly report: (error: Error | undefined) => void;
}

const Current = createContext<Connection>({ state: 'live', returns: 0, report: () => {} });

export function useConnection(): Connection {
  return useContext(Current);
}

/** Knows whether the server is there. While it is not, it is asked each second, and after half a minute called lost. */
export function Connected({ children }: { readonly children: ComponentChildren }) {
  const [missed, setMissed] = useState(0);
  const [returns, setReturns] = useState(0);
  const report = useCallback((error: Error | undefined): void => {
    setMissed((last) => (error === undefined ? 0 : Math.max(last, 1)));
  }, []);
  useEffect(() => {
    if (missed > 0 || saved) return undefined;
    // A page that nobody touches learns it too.
    const beat = setInterval(() => {
      client().health().catch(report);
    }, 3000);
    return () => clearInterval(beat);
  }, [missed, report]);
  useEffect(() => {
    if (missed === 0) return undefined;
    const next = setTimeout(() => {
      client()
        .health()
        .then(
          () => {
            setMissed(0);
            setReturns((last) => last + 1);
          },
          () => setMissed((last) => last + 1),
        );
    }, 1000);
    return () => clearTimeout(next);
  }, [missed]);
  const state = saved ? 'saved' : missed === 0 ? 'live' : missed < 30 ? 'reconnecting' : 'lost';
  return <Current.Provider value={{ state, returns, report }}>{children}</Current.Provider>;
}

const words = {
  live: 'live',
  reconnecting: 'reconnecting …',
  lost: 'server lost',
  saved: 'saved page',
} as const;

/** The state in a word, said aloud when it changes. */
export function ConnectionState() {
  const { state } = useConnection();
  return (
    <span class={`connection ${state}`} role="status">
      {words[state]}
    </span>
  );
}

import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';

import type { ViewProgress } from '../../../src/serve/api/health.ts';
import { client, saved, view } from './server.ts';

interface Connection {
  readonly state: 'live' | 'reconnecting' | 'lost' | 'saved';
  /** How often the server came back. */
  readonly returns: number;
  /** A request met no server, or (with nothing) met one. */
  readonly report: (error: Error | undefined) => void;
  /** Where logs are shown: how far they have been read. */
  readonly reading?: ViewProgress | undefined;
}

const Current = createContext<Connection>({ state: 'live', returns: 0, report: () => {} });

export function useConnection(): Connection {
  return useContext(Current);
}

/** Knows whether the server is there. While it is not, it is asked each second, and after half a minute called lost. */
export function Connected({ children }: { readonly children: ComponentChildren }) {
  const [missed, setMissed] = useState(0);
  const [returns, setReturns] = useState(0);
  const reading = useReading(() => setReturns((last) => last + 1));
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
  return <Current.Provider value={{ state, returns, report, reading }}>{children}</Current.Provider>;
}

const words = {
  live: 'live',
  reconnecting: 'reconnecting …',
  lost: 'server lost',
  saved: 'saved page',
} as const;

/** The state in a word, said aloud when it changes; where logs are shown, how far they have been read. */
export function ConnectionState() {
  const { state, reading } = useConnection();
  const isReading = state === 'live' && reading !== undefined && !reading.done;
  return (
    <span class={`connection ${state}`} role="status">
      {isReading ? `reading … ${shareOf(reading)}` : words[state]}
      {reading !== undefined && reading.faults.length > 0 && (
        <span class="bad" title={reading.faults.join('\n')}>
          {' '}
          ✗ {reading.faults.length === 1 ? reading.faults[0] : `${reading.faults.length} faults`}
        </span>
      )}
    </span>
  );
}

function shareOf({ bytes, of, episodes }: ViewProgress): string {
  const share = of === 0 ? '' : `${Math.floor((100 * bytes) / of)} %, `;
  return `${share}${episodes.toLocaleString()} episodes`;
}

/** How far the logs have been read that are shown; `whenRead` is called once, when they are all there. */
function useReading(whenRead: () => void): ViewProgress | undefined {
  const [reading, setReading] = useState<ViewProgress>();
  useEffect(() => {
    if (view === undefined) return undefined;
    let isFirst = true;
    const look = (): void => {
      client()
        .health()
        .then(
          ({ view: progress }) => {
            setReading(progress);
            if (progress?.done !== true) return;
            clearInterval(beat);
            if (!isFirst) whenRead();
          },
          () => undefined, // The bar says that the server is away.
        )
        .finally(() => (isFirst = false));
    };
    const beat = setInterval(look, 1000);
    look();
    return () => clearInterval(beat);
  }, []);
  return reading;
}

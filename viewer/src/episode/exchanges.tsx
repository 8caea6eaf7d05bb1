import { useState } from 'preact/hooks';

import type { EpisodeTurn } from '../../../src/serve/api/turn.ts';
import { Asked } from '../frame/asked.tsx';
import { Output } from '../text/output.tsx';

interface ExchangesProps {
  readonly episode: string;
  readonly turns: readonly EpisodeTurn[];
}

/** What each turn exchanged with its provider, as it was on the wire: asked for when somebody opens it. */
export function Exchanges({ episode, turns }: ExchangesProps) {
  const kept = turns.filter(({ exchanges = 0 }) => exchanges > 0);
  if (kept.length === 0) return null;
  return (
    <>
      <h2>As on the wire</h2>
      {kept.map(({ turn, exchanges = 0 }) => (
        <OfTurn key={turn} episode={episode} turn={turn} count={exchanges} />
      ))}
    </>
  );
}

function OfTurn({
  episode,
  turn,
  count,
}: {
  readonly episode: string;
  readonly turn: number;
  readonly count: number;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <details class="part" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        <span>Turn {turn}</span>
        <span class="points">{count === 1 ? '1 request' : `${count} requests`}</span>
      </summary>
      {opened && (
        <Asked
          about={`exchanges ${episode} ${turn}`}
          ask={async (server, signal) => (await server.exchanges(episode, turn, { signal })).exchanges}
        >
          {(exchanges) =>
            exchanges.map(({ url, status, request, reply }, place) => (
              <div key={place}>
                <p class="small">
                  <code>{url}</code> {status === 0 ? <span class="bad">✗ no reply</span> : status}
                </p>
                <Output text={request} label={`Request ${place + 1} of turn ${turn}`} />
                <Output text={reply} label={`Reply ${place + 1} of turn ${turn}`} bad={status >= 400} />
              </div>
            ))
          }
        </Asked>
      )}
    </details>
  );
}

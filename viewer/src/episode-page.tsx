import { useEffect, useState } from 'preact/hooks';

import type { EpisodeDetail, TerminalReason } from '../../src/serve/api/episode.ts';
import { Asked, client } from './asked.tsx';
import { FactPanel } from './fact-panel.tsx';
import { GradePanel } from './grade-panel.tsx';
import { groupAddress } from './route.ts';
import { turnAnchor, TurnView } from './turn-view.tsx';

/** One episode: what was said and called on the left, what it is worth on the right. */
export function EpisodePage({ episode }: { readonly episode: string }) {
  return (
    <Asked ask={(asked, signal) => asked.episode(episode, { signal })} about={`episode ${episode}`}>
      {(detail, again) => <Loaded detail={detail} again={again} />}
    </Asked>
  );
}

interface LoadedProps {
  readonly detail: EpisodeDetail;
  readonly again: () => void;
}

function Loaded({ detail, again }: LoadedProps) {
  const [shown, setShown] = useState<number>();
  const showTurn = (turn: number): void => {
    setShown(turn);
    document.getElementById(turnAnchor(turn))?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  };
  useFollow(detail, again);
  return (
    <>
      <Head detail={detail} />
      <div class="episode">
        <section class="panel" aria-label="Transcript">
          <details open>
            <summary>What the model saw first</summary>
            <p class="opening">{detail.initial_observation.content}</p>
          </details>
          {detail.turns.map((turn) => (
            <TurnView
              key={turn.turn}
              turn={turn}
              tools={detail.tools}
              notes={detail.explain?.notes ?? []}
              voice={detail.explain?.voices?.find((voice) => voice.turn === turn.turn)}
              shown={turn.turn === shown}
            />
          ))}
        </section>
        <div class="side">
          <GradePanel episode={detail} showTurn={showTurn} />
          {detail.explain && <FactPanel facts={detail.explain.facts} showTurn={showTurn} />}
        </div>
      </div>
    </>
  );
}

/** Asks anew at each new turn while the episode is open. */
function useFollow(detail: EpisodeDetail, again: () => void): void {
  const { episode_id: episode, status, turn_count: after } = detail;
  useEffect(() => {
    if (status !== 'open') return undefined;
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const _ of client().events(episode, { after, signal: stop.signal })) {
        again();
        return;
      }
    };
    // The page stays as it is when the stream cannot be had; the next visit shows the rest.
    follow().catch(() => undefined);
    return () => stop.abort();
  }, [episode, status, after]);
}

function Head({ detail }: { readonly detail: EpisodeDetail }) {
  return (
    <header class="head">
      <p class="small">
        <a href="#/">Episodes</a>
      </p>
      <h1>{detail.scenario_name}</h1>
      <p class="quiet">
        <code>{`${detail.collection_slug}/${detail.scenario_slug}`}</code>
        {` · variant ${detail.variant} · ${detail.turn_count} ${detail.turn_count === 1 ? 'turn' : 'turns'} · `}
        {detail.terminal_reason === undefined ? 'open' : endings[detail.terminal_reason]}
        {detail.group !== null && (
          <>
            {' · group '}
            <a href={groupAddress(detail.group)}>{detail.group}</a>
          </>
        )}
      </p>
    </header>
  );
}

const endings: Readonly<Record<TerminalReason, string>> = {
  completed: 'completed',
  error: 'ended by a fatal failure',
  max_turns_reached: 'ended at the limit of turns',
  client_terminated: 'ended by the client',
};

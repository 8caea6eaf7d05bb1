import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { TerminalReason } from '../../../src/serve/api/turn.ts';
import { addressOf, changeQuery, episodeAddress } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { later } from '../frame/later.tsx';
import { client, saved, view } from '../frame/server.ts';
import { Title } from '../frame/title.tsx';
import { neighbours } from '../list/neighbours.ts';
import { playerName } from '../list/player.ts';
import { Composer } from '../play/composer.tsx';
import { Calls } from './calls.tsx';
import { Credit } from './credit.tsx';
import { Facts } from './facts.tsx';
import { Judges } from './judges.tsx';
import { earnedCurve, Outline } from './outline.tsx';
import { Raw } from './raw.tsx';
import { saveEpisodes } from './save.ts';
import { Transcript } from './transcript.tsx';
import { useTurns } from './turn-pages.ts';
import { useExplanation } from './use-explanation.ts';
import { useFollow } from './use-follow.ts';
import { Why } from './why.tsx';

const Film = later(async () => (await import('../film/film.tsx')).Film);

interface EpisodePageProps {
  readonly episode: string;
  readonly query: URLSearchParams;
}

/** One episode: its turns, what was said and called, and why it is worth what it is worth. */
export function EpisodePage({ episode, query }: EpisodePageProps) {
  const kept = saved?.episodes.find(({ episode_id: id }) => id === episode);
  if (kept) return <Loaded detail={kept} again={() => {}} query={query} />;
  return (
    <Asked
      ask={(asked, signal) => asked.episode(episode, { signal, turns: atOnce })}
      about={`episode ${episode}`}
    >
      {(detail, again) => <Loaded detail={detail} again={again} query={query} />}
    </Asked>
  );
}

/** A longer episode is asked for in pages. */
const atOnce = 60;

/** Nothing can be played where episodes are only shown. */
const isShown = saved !== undefined || view !== undefined;

interface LoadedProps {
  readonly detail: EpisodeDetail;
  readonly again: () => void;
  readonly query: URLSearchParams;
}

const tabs = [
  ['talk', 'Transcript'],
  ['computer', 'Computer'],
  ['calls', 'Calls'],
  ['facts', 'Facts'],
  ['credit', 'Credit'],
  ['judges', 'Judges'],
  ['raw', 'Raw'],
] as const;

/** What each part was worth is worked out by a server that has the scenario; a film needs pictures. */
function tabsOf({ explain, log }: EpisodeDetail): readonly (typeof tabs)[number][] {
  return tabs.filter(
    ([name]) =>
      (name !== 'credit' || (explain !== undefined && saved === undefined)) &&
      (name !== 'computer' || log?.frames !== undefined),
  );
}

/** A session that shows its screen in every second turn is a film first. */
function firstTab({ log, turn_count: count }: EpisodeDetail): (typeof tabs)[number][0] {
  return 2 * (log?.frames?.length ?? 0) >= count && count > 0 ? 'computer' : 'talk';
}

function Loaded({ detail: asked, again, query }: LoadedProps) {
  const { detail, earned, isAsked } = useExplanation(useFollow(asked, again));
  const turns = useTurns(detail);
  const first = firstTab(detail);
  const tab = tabsOf(detail).find(([name]) => name === query.get('tab'))?.[0] ?? first;
  const frames = detail.log?.frames ?? [];
  const shown = tab === 'computer' ? frames[(Number(query.get('frame')) || 1) - 1]?.turn : undefined;
  const turn = shown ?? (Number(query.get('turn')) || undefined);
  const [wish, setWish] = useState(0);
  const curve = useMemo(() => earned ?? earnedCurve(detail), [detail.turns, detail.explain]);
  const showTurn = useCallback(
    (next: number): void => {
      setWish((last) => last + 1);
      changeQuery({ turn: String(next), tab: first === 'talk' ? undefined : 'talk', frame: undefined });
    },
    [first],
  );
  const showFrameOf = (next: number): void => {
    const place = frames.findIndex((frame) => frame.turn >= next);
    changeQuery({ frame: String(place < 0 ? frames.length : place + 1) });
  };
  const fork = async (after: number): Promise<void> => {
    const { episode_id: id } = await client().forkEpisode(detail.episode_id, { turn: after });
    location.hash = episodeAddress(id);
  };
  useNeighbourKeys(detail.episode_id, tab !== 'computer');
  // Hundreds of reasons: drawn when they change, not with each turn that is gone to.
  const side = useMemo(
    () => (
      <div class="side">
        <Why episode={detail} showTurn={showTurn} isAsked={isAsked} />
        {tab !== 'facts' && <Facts detail={detail} showTurn={showTurn} />}
      </div>
    ),
    [detail, tab === 'facts', showTurn, isAsked],
  );
  return (
    <>
      <Title text={`${detail.scenario_name} · ${playerName(detail)} · Whetstone`} />
      <Head detail={detail} />
      <nav class="tabs" aria-label="Views of the episode">
        {tabsOf(detail).map(([name, text]) => (
          <a
            key={name}
            href={addressOf(['episodes', detail.episode_id], name === first ? {} : { tab: name })}
            aria-current={tab === name ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      <div class="episode">
        <Outline
          turns={turns}
          curve={curve}
          shown={turn}
          showTurn={tab === 'computer' ? showFrameOf : showTurn}
        />
        <div class="middle">
          {tab === 'talk' && (
            <Transcript
              detail={detail}
              turns={turns}
              goal={turn === undefined ? undefined : { item: turn, asked: wish }}
              onFork={isShown ? undefined : (after) => void fork(after)}
            />
          )}
          {tab === 'computer' && <Film frames={frames} turns={turns} query={query} showTurn={showTurn} />}
          {tab === 'calls' && <Calls detail={detail} turns={turns} query={query} showTurn={showTurn} />}
          {tab === 'facts' && <Facts detail={detail} showTurn={showTurn} />}
          {tab === 'credit' && <Credit detail={detail} turns={turns} showTurn={showTurn} />}
          {tab === 'judges' && <Judges detail={detail} showTurn={showTurn} />}
          {tab === 'raw' && <Raw detail={detail} turns={turns} query={query} />}
          {tab === 'talk' && detail.status === 'open' && !isShown && (
            <Composer detail={detail} played={again} />
          )}
        </div>
        {side}
      </div>
    </>
  );
}

function Head({ detail }: { readonly detail: EpisodeDetail }) {
  const scenario = addressOf(['scenarios', detail.collection_slug, detail.scenario_slug]);
  return (
    <header class="head">
      <h1>{detail.scenario_name}</h1>
      <p class="quiet facts-line">
        <span>
          played by <strong>{playerName(detail)}</strong>
        </span>
        <span>
          {isShown ? (
            <code>{`${detail.collection_slug}/${detail.scenario_slug}`}</code>
          ) : (
            <a href={scenario}>
              <code>{`${detail.collection_slug}/${detail.scenario_slug}`}</code>
            </a>
          )}
        </span>
        {detail.log === undefined && <span>{`variant ${detail.variant}, seed ${detail.seed}`}</span>}
        <span>
          {`${detail.turn_count} ${detail.turn_count === 1 ? 'turn' : 'turns'}`}
          {detail.log === undefined && ` of ${detail.max_turns}`}
        </span>
        <Ending detail={detail} />
        {detail.group !== null && (
          <span>
            group <a href={addressOf(['episodes'], { group: detail.group })}>{detail.group}</a>
          </span>
        )}
        {detail.forked_from && (
          <span>
            forked from{' '}
            <a href={episodeAddress(detail.forked_from.episode_id, { turn: detail.forked_from.turn })}>
              turn {detail.forked_from.turn} of another episode
            </a>
          </span>
        )}
        {saved === undefined && (
          <button class="link" type="button" onClick={() => void save(detail)}>
            Save as one HTML file
          </button>
        )}
      </p>
      {detail.log?.error !== undefined && (
        <p class="notice" role="alert">
          {detail.log.error}
        </p>
      )}
      {detail.explain?.world_fault && (
        <p class="notice" role="alert">
          The world broke in turn {detail.explain.world_fault.turn}, in{' '}
          <code>{detail.explain.world_fault.tool}</code>: {detail.explain.world_fault.message}
        </p>
      )}
    </header>
  );
}

/** Whole, also where the page has only parts of it. */
async function save({ episode_id: episode, scenario_name: name }: EpisodeDetail): Promise<void> {
  await saveEpisodes(name, [await client().episode(episode)]);
}

/** How it ended: in the log's own words where it was read from one. */
function Ending({ detail: { terminal_reason: reason, log } }: { readonly detail: EpisodeDetail }) {
  if (log === undefined) return <span>{reason === undefined ? 'open' : endings[reason]}</span>;
  return (
    <>
      {log.ended !== undefined && <span>{log.ended}</span>}
      <span>
        <code>{log.id}</code> in {log.file}, {log.format}
      </span>
    </>
  );
}

const endings: Readonly<Record<TerminalReason, string>> = {
  completed: 'completed',
  error: 'ended by an error of the scenario',
  max_turns_reached: 'ended at its last turn',
  client_terminated: 'ended by the client',
};

/** The arrows lead through the list that the episode was opened from, unless they lead through a film. */
function useNeighbourKeys(episode: string, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const press = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): void => {
      if (target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      if (altKey || ctrlKey || metaKey) return;
      const { before, after } = neighbours(episode);
      const next = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined;
      if (next !== undefined) location.hash = episodeAddress(next);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [episode, isOn]);
}

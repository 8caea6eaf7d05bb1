import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { Client } from '../../../src/serve/client/index.ts';
import { RewardCell } from '../chart/reward.tsx';
import { whySentence } from '../episode/arithmetic.ts';
import { TurnView } from '../episode/turn-view.tsx';
import { episodeAddress } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Title } from '../frame/title.tsx';
import { playerName } from '../list/player.ts';
import { readRunName } from '../run/run-address.ts';
import { alignByFact } from './align.ts';

/** Two episodes of one task side by side: turns in which the same fact came out are in one row. */
export function Beside({ query }: { readonly query: URLSearchParams }) {
  const runs = query.getAll('run').slice(0, 2);
  const named = query.getAll('episode').slice(0, 2);
  return (
    <Asked
      about={`beside ${query}`}
      ask={async (server, signal) => {
        const found = named.length === 2 ? named : await latestOf(server, { runs, query, signal });
        return Promise.all(found.map((id) => server.episode(id, { signal })));
      }}
    >
      {([left, right]) =>
        left && right ? (
          <Pair left={left} right={right} />
        ) : (
          <div class="notice" role="alert">
            <h1>There are not two episodes to compare</h1>
            <p>
              <a href="#/runs">Choose runs to compare</a>.
            </p>
          </div>
        )
      }
    </Asked>
  );
}

interface Wanted {
  readonly runs: readonly string[];
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
}

/** The latest ended episode of each run in the task. */
async function latestOf(server: Client, { runs, query, signal }: Wanted): Promise<readonly string[]> {
  const lists = await Promise.all(
    runs.map((run) => {
      const { study, player } = readRunName(run);
      return server.episodes(
        {
          ...(study !== '' && { study }),
          ...(player !== '' && { player }),
          collection: query.get('collection') ?? '',
          scenario: query.get('scenario') ?? '',
          variant: Number(query.get('variant') ?? 0),
          status: 'complete',
          limit: 1,
        },
        { signal },
      );
    }),
  );
  return lists.flatMap(({ episodes }) => episodes.map(({ episode_id: id }) => id));
}

function Pair({ left, right }: { readonly left: EpisodeDetail; readonly right: EpisodeDetail }) {
  const rows = alignByFact(left, right);
  const texts = new Map(left.explain?.facts.map(({ id, text }) => [id, text]));
  return (
    <>
      <Title text={`${left.scenario_name}: ${playerName(left)} and ${playerName(right)} · Whetstone`} />
      <header class="head">
        <h1>{left.scenario_name}</h1>
        <p class="quiet">Variant {left.variant}. Turns in which the same fact came out are side by side.</p>
      </header>
      <div class="beside">
        <Side detail={left} />
        <Side detail={right} />
        {rows.map(({ left: a, right: b, facts }, place) => (
          <Row
            key={place}
            fact={facts.map((id) => texts.get(id) ?? id).join(' · ')}
            turns={[
              [left, a],
              [right, b],
            ]}
          />
        ))}
      </div>
    </>
  );
}

function Side({ detail }: { readonly detail: EpisodeDetail }) {
  const grade = detail.explain?.grade;
  return (
    <section class="panel" aria-label={`Episode of ${playerName(detail)}`}>
      <h2>
        <a href={episodeAddress(detail.episode_id)} data-step>
          {playerName(detail)}
        </a>
      </h2>
      <RewardCell reward={detail.reward} />
      {grade && <p class="small">{whySentence(grade)}</p>}
    </section>
  );
}

interface RowProps {
  readonly fact: string;
  readonly turns: readonly (readonly [detail: EpisodeDetail, turn: number | undefined])[];
}

function Row({ fact, turns }: RowProps) {
  return (
    <>
      {fact !== '' && <p class="across small good">✓ Both: {fact}</p>}
      {turns.map(([detail, turn], side) => {
        const found = turn === undefined ? undefined : detail.turns[turn - 1];
        if (found === undefined) return <div key={side} class="gap" />;
        const of = <Item extends { readonly turn?: number }>(items: readonly Item[] = []): readonly Item[] =>
          items.filter((item) => item.turn === turn);
        return (
          <div key={side}>
            <TurnView
              anchor={`side-${side}`}
              turn={found}
              tools={detail.tools}
              notes={of(detail.explain?.notes)}
              expected={of(detail.explain?.expected)}
              voice={of(detail.explain?.voices)[0]}
              found={of(detail.explain?.facts).map(({ id }) => id)}
              shown={false}
              onFork={undefined}
            />
          </div>
        );
      })}
    </>
  );
}

import type { ComparedTask } from '../../../src/serve/api/comparison.ts';
import type { EpisodeSummary } from '../../../src/serve/api/episode.ts';
import type { EpisodeFilter } from '../../../src/serve/api/filter.ts';
import type { Client } from '../../../src/serve/client/index.ts';
import { rewardText, sign, tone } from '../chart/reward.tsx';
import { addressOf, episodeAddress } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';

interface GridProps {
  readonly filter: EpisodeFilter;
  readonly tasks: readonly ComparedTask[];
}

/** So many trials are shown one by one; the means are of all. */
const most = 1000;

/** A scenario a row, a variant a column, a trial a sign that opens its episode. */
export function Grid({ filter, tasks }: GridProps) {
  return (
    <Asked
      about={`grid ${JSON.stringify(filter)}`}
      ask={(server, signal) => latestEpisodes(server, filter, signal)}
    >
      {(episodes) => <Table filter={filter} tasks={tasks} episodes={episodes} />}
    </Asked>
  );
}

async function latestEpisodes(
  server: Client,
  filter: EpisodeFilter,
  signal: AbortSignal,
): Promise<readonly EpisodeSummary[]> {
  const found: EpisodeSummary[] = [];
  for (let cursor: string | null | undefined; cursor !== null && found.length < most;) {
    const page = await server.episodes(
      { ...filter, limit: 200, ...(cursor !== undefined && { cursor }) },
      { signal },
    );
    found.push(...page.episodes);
    cursor = page.next_cursor;
  }
  return found;
}

function Table({ filter, tasks, episodes }: GridProps & { readonly episodes: readonly EpisodeSummary[] }) {
  const variants = [...new Set(tasks.map(({ variant }) => variant))].toSorted((one, other) => one - other);
  const scenarios = Map.groupBy(tasks, ({ collection, scenario }) => `${collection}/${scenario}`);
  const trials = Map.groupBy(
    episodes,
    (one) => `${one.collection_slug}/${one.scenario_slug}\n${one.variant}`,
  );
  const all = tasks.reduce((sum, { cells: [cell] }) => sum + (cell?.episodes ?? 0), 0);
  return (
    <section aria-label="Grid">
      <p class="small quiet">
        ✓ from 0.80, ◐ from 0.40, ✗ below, ○ open: one for each trial, and the mean of them all.
        {all > episodes.length &&
          ` The latest ${episodes.length.toLocaleString()} of ${all.toLocaleString()} trials are shown.`}
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label="Trials by scenario and variant">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              {variants.map((variant) => (
                <th key={variant} scope="col">
                  {variants.length === 1 ? 'Trials' : `Variant ${variant}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...scenarios].map(([name, own]) => (
              <tr key={name}>
                <td>
                  <a href={addressOf(['scenarios', own[0]!.collection, own[0]!.scenario])} data-step>
                    {name}
                  </a>
                </td>
                {variants.map((variant) => {
                  const [cell] = own.find((task) => task.variant === variant)?.cells ?? [];
                  if (!cell)
                    return (
                      <td key={variant} class="quiet">
                        —
                      </td>
                    );
                  const { collection, scenario } = own[0]!;
                  return (
                    <td key={variant}>
                      <a
                        class={cell.reward === undefined ? 'quiet' : tone(cell.reward)}
                        href={addressOf(['episodes'], { ...filter, collection, scenario, variant })}
                      >
                        {rewardText(cell.reward)}
                      </a>{' '}
                      <span class="dots">
                        {(trials.get(`${name}\n${variant}`) ?? []).map((episode) => (
                          <Dot key={episode.episode_id} episode={episode} />
                        ))}
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Dot({ episode: { episode_id: id, reward, seed } }: { readonly episode: EpisodeSummary }) {
  const said = `seed ${seed}: ${reward === undefined ? 'open' : rewardText(reward)}`;
  return (
    <a
      href={episodeAddress(id)}
      class={reward === undefined ? 'quiet' : tone(reward)}
      aria-label={said}
      title={said}
    >
      {reward === undefined ? '○' : sign(reward)}
    </a>
  );
}

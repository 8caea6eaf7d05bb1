import type { RunSummary } from '../../../src/serve/api/comparison.ts';
import type { StatGroup } from '../../../src/serve/api/stats.ts';
import { addressOf } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Title } from '../frame/title.tsx';
import { costText, meanText } from '../player/numbers.ts';
import { Config } from './config.tsx';
import { Distributions } from './distributions.tsx';
import { Failures } from './failures.tsx';
import { Grid } from './grid.tsx';
import { compareAddress, runAddress, runName } from './run-address.ts';

interface RunPageProps {
  readonly study: string;
  readonly player: string;
  readonly query: URLSearchParams;
}

const tabs = [
  ['grid', 'Grid'],
  ['distributions', 'Distributions'],
  ['failures', 'Failures'],
  ['config', 'Config'],
] as const;

/** What one player did in one study: its numbers, and what they are made of. */
export function RunPage({ study, player, query }: RunPageProps) {
  const tab = tabs.find(([name]) => name === query.get('tab'))?.[0] ?? 'grid';
  const filter = { study, player };
  return (
    <Asked
      about={`run ${study}\n${player}`}
      ask={async (server, signal) => {
        const [{ runs, tasks }, { groups }] = await Promise.all([
          server.compareRuns([runName(study, player)], { signal }),
          server.stats({ study, group_by: 'player' }, { signal }),
        ]);
        return { run: runs[0]!, tasks, others: groups };
      }}
    >
      {({ run, tasks, others }) => (
        <>
          <Title text={`${player} in ${study} · Whetstone`} />
          <Head run={run} others={others} />
          <nav class="tabs" aria-label="Views of the run">
            {tabs.map(([name, text]) => (
              <a
                key={name}
                href={runAddress(study, player, name === 'grid' ? {} : { tab: name })}
                aria-current={tab === name ? 'page' : undefined}
              >
                {text}
              </a>
            ))}
          </nav>
          {tab === 'grid' && <Grid filter={filter} tasks={tasks} />}
          {tab === 'distributions' && <Distributions run={run} />}
          {tab === 'failures' && <Failures filter={filter} />}
          {tab === 'config' && <Config run={run} tasks={tasks} />}
        </>
      )}
    </Asked>
  );
}

interface HeadProps {
  readonly run: RunSummary;
  readonly others: readonly StatGroup[];
}

function Head({ run, others }: HeadProps) {
  const { study, player, card } = run;
  const rates = Object.entries(run.pass_hat_k);
  const beside = others
    .flatMap(({ by }) => (typeof by['player'] === 'string' && by['player'] !== player ? [by['player']] : []))
    .slice(0, 5);
  const tokens = (run.usage.input_tokens ?? 0) + (run.usage.output_tokens ?? 0);
  return (
    <header class="head">
      <h1>{player ?? ''}</h1>
      <p class="quiet facts-line">
        <span>
          in <a href={addressOf(['runs'], { study: study ?? '' })}>{study ?? ''}</a>
        </span>
        {card?.model !== undefined && card.model !== player && <span>{card.model}</span>}
        {card?.commit !== undefined && (
          <span>
            commit <code>{card.commit.slice(0, 12)}</code>
          </span>
        )}
        <a href={addressOf(['episodes'], { study: study ?? '', player: player ?? '' })}>
          {run.episodes.toLocaleString()} episodes
        </a>
        {beside.length > 0 && (
          <a href={compareAddress([player, ...beside].map((one) => runName(study, one)))}>
            Compare with {beside.length === 1 ? 'the other player' : `${beside.length} other players`}
          </a>
        )}
      </p>
      <dl class="figures">
        <Figure name="Reward" value={meanText(run.reward)} />
        <Figure name="Success" value={meanText(run.success)} />
        {rates.slice(1).map(([k, rate]) => (
          <Figure key={k} name={`pass^${k}`} value={rate.toFixed(2)} />
        ))}
        <Figure name="Scenarios" value={String(run.scenarios)} />
        <Figure name="Tasks" value={String(run.tasks)} />
        <Figure name="Gate closed" value={String(run.gate_closed)} />
        <Figure name="Tokens" value={tokens === 0 ? '—' : tokens.toLocaleString()} />
        <Figure name="Cost" value={costText(run.usage)} />
        <Figure name="Errors" value={String(run.usage.errors)} />
      </dl>
    </header>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

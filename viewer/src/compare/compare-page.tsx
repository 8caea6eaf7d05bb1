import type { ComparedTask, RunSummary } from '../../../src/serve/api/comparison.ts';
import { rewardText, tone } from '../chart/reward.tsx';
import { addressOf, changeQuery } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Title } from '../frame/title.tsx';
import { costText, meanText, signed, signedTone } from '../player/numbers.ts';
import { compareAddress, readRunName, runAddress, runName } from '../run/run-address.ts';

/** Two to six runs: each against the first, in all and task by task. */
export function ComparePage({ query }: { readonly query: URLSearchParams }) {
  const names = query.getAll('run').slice(0, 6);
  const onlyChanged = query.get('changed') === '1';
  if (names.length < 2)
    return (
      <div class="notice">
        <Title text="Compare · Whetstone" />
        <h1>Choose two runs</h1>
        <p>
          A comparison needs two to six. <a href="#/runs">Choose them among the runs</a>.
        </p>
      </div>
    );
  return (
    <>
      <Title text="Compare · Whetstone" />
      <header class="head">
        <h1>Compare</h1>
        <p class="quiet">
          Differences are from the first run, paired by task, with their 95 % intervals. They count scenarios,
          since tasks of one scenario resemble each other.
        </p>
      </header>
      <Asked
        about={`compare ${names.join(' ')}`}
        ask={(server, signal) => server.compareRuns(names, { signal })}
      >
        {({ runs, tasks }) => (
          <>
            <Runs runs={runs} names={names} />
            <Tasks runs={runs} tasks={tasks} names={names} onlyChanged={onlyChanged} />
          </>
        )}
      </Asked>
    </>
  );
}

/** What a run is called next to others: the shortest name that tells them apart. */
function labelsOf(runs: readonly RunSummary[]): readonly string[] {
  const sameStudy = new Set(runs.map(({ study }) => study)).size === 1;
  return runs.map(({ study, player }) =>
    sameStudy || study === null ? (player ?? study ?? '') : `${player ?? 'all'} in ${study}`,
  );
}

interface RunsProps {
  readonly runs: readonly RunSummary[];
  readonly names: readonly string[];
}

function Runs({ runs, names }: RunsProps) {
  const labels = labelsOf(runs);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Runs">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col" class="number">
              Episodes
            </th>
            <th scope="col" class="number">
              Tasks
            </th>
            <th scope="col">Reward</th>
            <th scope="col">Compared with the first</th>
            <th scope="col">Success</th>
            <th scope="col" class="number">
              All trials succeed
            </th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col">
              <span class="hidden">Baseline</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, place) => (
            <tr key={names[place]}>
              <td>
                {run.study !== null && run.player !== null ? (
                  <a href={runAddress(run.study, run.player)} data-step>
                    {labels[place]}
                  </a>
                ) : (
                  labels[place]
                )}
              </td>
              <td class="number">{run.complete.toLocaleString()}</td>
              <td class="number">{run.tasks}</td>
              <td>{meanText(run.reward)}</td>
              <td>{place === 0 ? <span class="quiet">the baseline</span> : <Against run={run} />}</td>
              <td>{meanText(run.success)}</td>
              <td class="number">{Object.values(run.pass_hat_k).at(-1)?.toFixed(2) ?? '—'}</td>
              <td class="number">{costText(run.usage)}</td>
              <td>
                {place > 0 && (
                  <a
                    class="small"
                    href={compareAddress([names[place]!, ...names.filter((_, other) => other !== place)])}
                  >
                    as baseline
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Against({ run: { against } }: { readonly run: RunSummary }) {
  if (against === undefined) return <span class="quiet">no task in common</span>;
  const { difference, interval, verdict } = against;
  const tone = verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : 'quiet';
  return (
    <span class={tone}>
      {signed(difference)}
      {interval && ` (${signed(interval[0])} to ${signed(interval[1])})`} {verdict}
    </span>
  );
}

interface TasksProps extends RunsProps {
  readonly tasks: readonly ComparedTask[];
  readonly onlyChanged: boolean;
}

/** How many rows at once; what changed most comes first. */
const most = 300;

function Tasks({ runs, tasks, names, onlyChanged }: TasksProps) {
  const labels = labelsOf(runs);
  const rows = tasks
    .map((task) => ({ task, apart: apartIn(task) }))
    .filter(({ apart }) => !onlyChanged || apart > 0.005)
    .toSorted((one, other) => other.apart - one.apart);
  return (
    <section aria-label="Task by task">
      <h2>Task by task</h2>
      <label class="row small">
        <input
          type="checkbox"
          checked={onlyChanged}
          onChange={(event) => changeQuery({ changed: event.currentTarget.checked ? '1' : undefined })}
        />
        Only what changed
        <span class="quiet">
          {rows.length} of {tasks.length} tasks; a number opens its episode next to the baseline’s
        </span>
      </label>
      <div class="scroll" tabIndex={0} role="group" aria-label="Rewards by task and run">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Task</th>
              {labels.map((label, place) => (
                <th key={names[place]} scope="col" class="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(({ task }) => (
              <Row key={`${task.collection}/${task.scenario}/${task.variant}`} task={task} runs={runs} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && <p class="small quiet">The {most} that changed most.</p>}
    </section>
  );
}

function apartIn({ cells: [first, ...others] }: ComparedTask): number {
  const base = first?.reward;
  if (base === undefined) return 0;
  return Math.max(
    0,
    ...others.map((cell) => (cell?.reward === undefined ? 0 : Math.abs(cell.reward - base))),
  );
}

function Row({ task, runs }: { readonly task: ComparedTask; readonly runs: readonly RunSummary[] }) {
  const { collection, scenario, variant, cells } = task;
  const base = cells[0]?.reward;
  return (
    <tr>
      <td>
        {`${collection}/${scenario}`} <span class="quiet small">variant {variant}</span>
      </td>
      {cells.map((cell, place) => {
        if (cell?.reward === undefined)
          return (
            <td key={place} class="number quiet">
              —
            </td>
          );
        const by = place === 0 || base === undefined ? undefined : cell.reward - base;
        const pair = [runs[0]!, runs[place]!].map(({ study, player }) => runName(study, player));
        return (
          <td key={place} class="number">
            <a
              class={tone(cell.reward)}
              href={
                place === 0 || base === undefined
                  ? addressOf(['episodes'], { ...filterOf(runs[place]!), collection, scenario, variant })
                  : addressOf(['beside'], { run: pair, collection, scenario, variant })
              }
              data-step
            >
              {rewardText(cell.reward)}
            </a>{' '}
            {by !== undefined && <span class={`${signedTone(by)} small`}>{signed(by)}</span>}
          </td>
        );
      })}
    </tr>
  );
}

/** The episodes of a run. */
function filterOf({ study, player }: RunSummary): { readonly study?: string; readonly player?: string } {
  const { study: named, player: who } = readRunName(runName(study, player));
  return { ...(named !== '' && { study: named }), ...(who !== '' && { player: who }) };
}

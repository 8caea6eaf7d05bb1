import type { ComparedTask, RunSummary } from '../../../src/serve/api/comparison.ts';
import { Output } from '../text/output.tsx';

interface ConfigProps {
  readonly run: RunSummary;
  readonly tasks: readonly ComparedTask[];
}

/** Who played, as it said itself, and what. */
export function Config({ run: { card, began_at: began }, tasks }: ConfigProps) {
  return (
    <section class="panel" aria-label="Config">
      <h2>Player</h2>
      <dl class="pairs">
        <Pair name="Name" value={card?.name} />
        <Pair name="Model" value={card?.model} />
        <Pair name="Commit" value={card?.commit} />
        {Object.entries(card?.labels ?? {}).map(([name, value]) => (
          <Pair key={name} name={name} value={value} />
        ))}
        <Pair name="First episode" value={new Date(began).toLocaleString()} />
      </dl>
      {card?.parameters !== undefined && (
        <>
          <h2>Parameters</h2>
          <Output text={JSON.stringify(card.parameters)} label="Parameters" />
        </>
      )}
      <h2>Tasks</h2>
      <ul class="plain columns">
        {tasks.slice(0, 500).map(({ collection, scenario, variant, cells: [cell] }) => (
          <li key={`${collection}/${scenario}/${variant}`}>
            <code>{`${collection}/${scenario}`}</code>{' '}
            <span class="quiet small">
              variant {variant}, {cell?.episodes ?? 0} {cell?.episodes === 1 ? 'trial' : 'trials'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value ?? '—'}</dd>
    </>
  );
}

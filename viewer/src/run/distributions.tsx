import type { RunSummary } from '../../../src/serve/api/comparison.ts';
import { Histogram } from '../chart/histogram.tsx';

/** How the rewards are spread, and the values of each dimension. */
export function Distributions({ run }: { readonly run: RunSummary }) {
  return (
    <section aria-label="Distributions">
      <div class="distributions">
        <Distribution name="reward" counts={run.histogram} />
        {Object.entries(run.distributions).map(([name, counts]) => (
          <Distribution key={name} name={name.replaceAll('_', ' ')} counts={counts} />
        ))}
      </div>
    </section>
  );
}

function Distribution({ name, counts }: { readonly name: string; readonly counts: readonly number[] }) {
  const sum = counts.reduce((all, count) => all + count, 0);
  return (
    <figure class="panel">
      <figcaption>
        {name} <span class="quiet small">{sum === 0 ? '—' : `${sum.toLocaleString()} episodes`}</span>
      </figcaption>
      {sum > 0 && (
        <>
          <Histogram counts={counts} label={name} />
          <p class="scale quiet small" aria-hidden="true">
            <span>0</span>
            <span>1</span>
          </p>
        </>
      )}
    </figure>
  );
}

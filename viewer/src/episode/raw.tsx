import { useMemo } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { Output } from '../text/output.tsx';

/** The episode as the server answers it: to read, to copy, to send to somebody. */
export function Raw({ detail }: { readonly detail: EpisodeDetail }) {
  const text = useMemo(() => JSON.stringify(detail, undefined, 2), [detail]);
  return (
    <section class="panel" aria-label="Raw">
      <h2>As the server answers</h2>
      <Output text={text} label="The episode as JSON" lines={400} />
    </section>
  );
}

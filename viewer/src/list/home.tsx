import type { EpisodeSummary } from '../../../src/serve/api/episode.ts';
import { Asked } from '../frame/asked.tsx';
import { Title } from '../frame/title.tsx';
import { usePulse } from '../frame/use-pulse.ts';
import { EpisodeTable } from './episode-table.tsx';

/** What this is, what runs now, what came last, and the way to play. */
export function Home() {
  const pulse = usePulse(5000);
  return (
    <>
      <Title text="Whetstone" />
      <header class="head hero">
        <h1>Every call, every result, and why each grade is what it is</h1>
        <p class="quiet">
          Models that use tools play scenarios here, and each episode is graded from 0 to 1 with its reasons.
        </p>
        <p class="row">
          <a class="primary" href="#/scenarios">
            Play one yourself
          </a>
          <a href="#/episodes">All episodes</a>
        </p>
      </header>
      <Asked
        about="home"
        pulse={pulse}
        ask={async (server, signal) => {
          const [open, latest] = await Promise.all([
            server.episodes({ status: 'open', limit: 10 }, { signal }),
            server.episodes({ limit: 20 }, { signal }),
          ]);
          return { open: open.episodes, latest: latest.episodes };
        }}
      >
        {({ open, latest }) => <Shown open={open} latest={latest} />}
      </Asked>
    </>
  );
}

interface ShownProps {
  readonly open: readonly EpisodeSummary[];
  readonly latest: readonly EpisodeSummary[];
}

function Shown({ open, latest }: ShownProps) {
  return (
    <>
      <section aria-label="Running now">
        <h2>Running now</h2>
        {open.length === 0 ? (
          <p class="quiet">Nothing is running at the moment.</p>
        ) : (
          <EpisodeTable episodes={open} />
        )}
      </section>
      <section aria-label="Latest episodes">
        <h2>Latest episodes</h2>
        {latest.length === 0 ? (
          <p class="quiet">
            None yet. Play one here, or in a terminal:{' '}
            <code>whet run case-management/lumbar-strain --operator gold</code>
          </p>
        ) : (
          <EpisodeTable episodes={latest} />
        )}
      </section>
    </>
  );
}

import { useEffect, useState } from 'preact/hooks';

import { EpisodeList } from './episode-list.tsx';
import { EpisodePage } from './episode-page.tsx';
import { readRoute, type Route } from './route.ts';
import { ScenarioList } from './scenario-list.tsx';

/** The frame of every page, and the page that the address names. */
export function Page() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = (): void => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return (
    <>
      <nav class="bar" aria-label="Pages">
        <strong>Whetstone</strong>
        <a href="#/" aria-current={route.page === 'scenarios' ? undefined : 'page'}>
          Episodes
        </a>
        <a href="#/scenarios" aria-current={route.page === 'scenarios' ? 'page' : undefined}>
          Scenarios
        </a>
      </nav>
      <main>
        <Content route={route} />
      </main>
    </>
  );
}

function Content({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'episodes':
      return <EpisodeList group={route.group} />;
    case 'episode':
      return <EpisodePage key={route.episode} episode={route.episode} />;
    case 'scenarios':
      return <ScenarioList />;
  }
}

import { useEffect, useState } from 'preact/hooks';

import { EpisodeList } from '../list/episode-list.tsx';
import { Home } from '../list/home.tsx';
import { Saved } from '../list/saved.tsx';
import { readAddress, type Address } from './address.ts';
import { Connected, ConnectionState } from './connection.tsx';
import { Keys } from './keys.tsx';
import { later, loadRest } from './later.tsx';
import { useScroll } from './use-scroll.ts';
import { saved, view } from './server.ts';
import { Title } from './title.tsx';

const Beside = later(async () => (await import('../compare/beside.tsx')).Beside);
const ComparePage = later(async () => (await import('../compare/compare-page.tsx')).ComparePage);
const EpisodePage = later(async () => (await import('../episode/episode-page.tsx')).EpisodePage);
const Players = later(async () => (await import('../player/players.tsx')).Players);
const RunList = later(async () => (await import('../run/run-list.tsx')).RunList);
const RunPage = later(async () => (await import('../run/run-page.tsx')).RunPage);
const ScenarioList = later(async () => (await import('../scenario/scenario-list.tsx')).ScenarioList);
const ScenarioPage = later(async () => (await import('../scenario/scenario-page.tsx')).ScenarioPage);
const ToolsPage = later(async () => (await import('../scenario/tools-page.tsx')).ToolsPage);
const TrainingPage = later(async () => (await import('../training/training-page.tsx')).TrainingPage);
const WeightsPage = later(async () => (await import('../weights/weights-page.tsx')).WeightsPage);

const places = [
  ['', 'Home'],
  ['runs', 'Runs'],
  ['episodes', 'Episodes'],
  ['players', 'Players'],
  ['scenarios', 'Scenarios'],
  ['training', 'Training'],
] as const;

/** A view of logs has nothing to play. */
const shownPlaces =
  view === undefined
    ? places
    : places.filter(([path]) => ['runs', 'episodes', 'players', 'training'].includes(path));

/** The frame of every page, and the page that the address names. */
export function Page() {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const follow = (): void => setAddress(readAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(loadRest, []);
  useScroll();
  const [place = ''] = address.path;
  const path = address.path.join('/');
  useEffect(() => {
    // What had the focus may have gone with the last view: the keyboard then begins at this one.
    if (document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
  return (
    <Connected>
      <a class="skip" href="#content" onClick={skip}>
        To the content
      </a>
      <header class="bar">
        <a class="name" href="#/">
          Whetstone
        </a>
        {!saved && (
          <nav aria-label="Pages">
            {shownPlaces.map(([path, text]) => (
              <a key={path} href={`#/${path}`} aria-current={place === path ? 'page' : undefined}>
                {text}
              </a>
            ))}
          </nav>
        )}
        <ConnectionState />
      </header>
      <main id="content" tabIndex={-1}>
        <Content address={address} />
      </main>
      <Keys />
    </Connected>
  );
}

/** The address holds the page's state, so the way to the content may not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Content({ address: { path, query } }: { readonly address: Address }) {
  const [place, first, second] = path;
  if (place === 'episodes' && first !== undefined)
    return <EpisodePage key={first} episode={first} query={query} />;
  if (saved) return <Saved page={saved} />;
  if (place === undefined && query.size === 0 && view === undefined) return <Home />;
  if (place === 'episodes' || place === undefined)
    return <EpisodeList key={query.toString()} query={query} />;
  if (place === 'runs' && first !== undefined && second !== undefined)
    return <RunPage key={`${first}/${second}`} study={first} player={second} query={query} />;
  if (place === 'runs') return <RunList query={query} />;
  if (place === 'training') return <TrainingPage query={query} />;
  if (place === 'weights') return <WeightsPage query={query} />;
  if (place === 'compare') return <ComparePage query={query} />;
  if (place === 'beside') return <Beside query={query} />;
  if (place === 'players') return <Players query={query} />;
  if (place === 'scenarios' && first !== undefined && second !== undefined)
    return <ScenarioPage key={`${first}/${second}`} collection={first} scenario={second} />;
  if (place === 'tools' && first !== undefined && second !== undefined)
    return <ToolsPage collection={first} scenario={second} query={query} />;
  if (place === 'scenarios') return <ScenarioList />;
  return <Unknown />;
}

function Unknown() {
  return (
    <div class="notice" role="alert">
      <Title text="No such page · Whetstone" />
      <h1>There is no such page</h1>
      <p>
        Nothing is at <code>{location.hash}</code>. <a href="#/">Home</a> lists everything.
      </p>
    </div>
  );
}

import { useState } from 'preact/hooks';

import type { ScenarioAnswer } from '../../../src/serve/api/catalog.ts';
import type { EpisodeTool } from '../../../src/serve/api/message.ts';
import { addressOf, episodeAddress } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { client } from '../frame/server.ts';
import { Title } from '../frame/title.tsx';
import { EpisodeTable } from '../list/episode-table.tsx';
import { Output } from '../text/output.tsx';
import { Pictures } from '../text/pictures.tsx';
import { Words } from '../text/words.tsx';

interface ScenarioPageProps {
  readonly collection: string;
  readonly scenario: string;
}

/** What a model is told of a scenario, the way to play it, and who played it last. */
export function ScenarioPage({ collection, scenario }: ScenarioPageProps) {
  return (
    <Asked
      about={`scenario ${collection}/${scenario}`}
      ask={async (server, signal) => {
        const [told, { episodes }] = await Promise.all([
          server.scenario(collection, scenario, { signal }),
          server.episodes({ collection, scenario, limit: 50 }, { signal }),
        ]);
        return { told, episodes };
      }}
    >
      {({ told, episodes }) => (
        <>
          <Title text={`${told.name} · Whetstone`} />
          <header class="head">
            <h1>{told.name}</h1>
            <div class="quiet">
              <Words text={told.description} lines={4} />
            </div>
            <p class="quiet facts-line">
              <code>{`${collection}/${scenario}`}</code>
              <span>{told.shape}</span>
              <span>{told.variants === 1 ? 'one variant' : `${told.variants} variants`}</span>
              <span>at most {told.limits.turns} turns</span>
            </p>
          </header>
          <Play scenario={told} />
          <section class="panel" aria-label="What the model sees first">
            <h2>What the model sees first</h2>
            <Words text={told.initial_observation.content} />
            <Pictures images={told.initial_observation.images} />
          </section>
          <section class="panel" aria-label="Tools">
            <h2>
              Tools{' '}
              <a class="small" href={addressOf(['tools', collection, scenario])}>
                what each provider is sent of them
              </a>
            </h2>
            {told.tools.map((tool) => (
              <Tool key={tool.id} tool={tool} />
            ))}
          </section>
          <section aria-label="Latest episodes">
            <h2>
              Latest episodes{' '}
              <a class="small" href={addressOf(['episodes'], { collection, scenario })}>
                all of them
              </a>
            </h2>
            {episodes.length === 0 ? (
              <p class="quiet">Nobody has played it yet.</p>
            ) : (
              <EpisodeTable episodes={episodes} />
            )}
          </section>
        </>
      )}
    </Asked>
  );
}

function Play({ scenario }: { readonly scenario: ScenarioAnswer }) {
  const [error, setError] = useState<string>();
  return (
    <form
      class="panel row"
      aria-label="Play it"
      onSubmit={(event) => {
        event.preventDefault();
        const variant = Number(new FormData(event.currentTarget).get('variant'));
        const { collection_slug, scenario_slug } = scenario;
        client()
          .createEpisode({ collection_slug, scenario_slug, variant, score_turns: true, player: 'you' })
          .then(
            ({ episode_id: id }) => (location.hash = episodeAddress(id)),
            (cause: Error) => setError(cause.message),
          );
      }}
    >
      <label class="row">
        Variant
        <input name="variant" type="number" min="0" max={scenario.variants - 1} defaultValue="0" required />
      </label>
      <button class="primary" type="submit">
        Play it yourself
      </button>
      {error !== undefined && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

function Tool({ tool }: { readonly tool: EpisodeTool }) {
  const input = tool.mode === 'options' ? tool.options : tool.json_schema;
  return (
    <details class="call">
      <summary>
        <strong>{tool.name.slice(0, 200)}</strong>
        <code>{tool.id.slice(0, 80)}</code>
        <span class="tag">{tool.type}</span>
      </summary>
      <div>
        {tool.description !== undefined && <Words text={tool.description} />}
        <Output text={JSON.stringify(input ?? {})} label={`Input of ${tool.name}`} />
      </div>
    </details>
  );
}

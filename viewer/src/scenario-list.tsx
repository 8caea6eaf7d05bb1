import type { CollectionEntry } from '../../src/serve/api/catalog.ts';
import { Asked } from './asked.tsx';

/** What can be played. */
export function ScenarioList() {
  return (
    <>
      <header class="head">
        <h1>Scenarios</h1>
      </header>
      <Asked ask={(asked, signal) => asked.catalog({ signal })} about="catalog">
        {(catalog) => catalog.collections.map((each) => <Collection key={each.slug} collection={each} />)}
      </Asked>
    </>
  );
}

function Collection({ collection }: { readonly collection: CollectionEntry }) {
  return (
    <section class="panel">
      <header class="head">
        <h2>{collection.name}</h2>
        <p class="quiet">{collection.description}</p>
        <p class="small quiet">
          {collection.splits.map((split) => `${split.name}: ${split.tasks} tasks`).join(' · ')}
        </p>
      </header>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Scenario</th>
              <th>What it is</th>
              <th>Shape</th>
              <th class="number">Variants</th>
              <th class="number">Turns at most</th>
            </tr>
          </thead>
          <tbody>
            {collection.scenarios.map((scenario) => (
              <tr key={scenario.slug}>
                <td>
                  <code>
                    {collection.slug}/{scenario.slug}
                  </code>
                </td>
                <td>{scenario.description}</td>
                <td>{scenario.shape}</td>
                <td class="number">{scenario.variants}</td>
                <td class="number">{scenario.limits.turns}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

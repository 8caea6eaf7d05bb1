import type { CollectionEntry } from '../../../src/serve/api/catalog.ts';
import { addressOf } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Title } from '../frame/title.tsx';
import { firstPart } from '../text/first-part.ts';
import { Words } from '../text/words.tsx';

/** What can be played. */
export function ScenarioList() {
  return (
    <>
      <Title text="Scenarios · Whetstone" />
      <header class="head">
        <h1>Scenarios</h1>
        <p class="quiet">Choose one, and play it as the model would.</p>
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
        <div class="quiet">
          <Words text={collection.description} lines={4} />
        </div>
        <p class="small quiet">
          {collection.splits.map((split) => `${split.name}: ${split.tasks} tasks`).join(' · ')}
        </p>
      </header>
      <div class="scroll" tabIndex={0} role="group" aria-label={`Scenarios of ${collection.name}`}>
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              <th scope="col">What it is</th>
              <th scope="col">Shape</th>
              <th scope="col" class="number">
                Variants
              </th>
              <th scope="col" class="number">
                Most turns
              </th>
            </tr>
          </thead>
          <tbody>
            {collection.scenarios.map((scenario) => (
              <tr key={scenario.slug}>
                <td>
                  <a href={addressOf(['scenarios', collection.slug, scenario.slug])} data-step>
                    <code>{`${collection.slug}/${scenario.slug}`}</code>
                  </a>
                </td>
                <td>{firstPart(scenario.description, 4, 1).shown}</td>
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

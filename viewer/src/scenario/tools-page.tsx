import type { ApiTools, SentTool } from '../../../src/serve/api/catalog.ts';
import { addressOf, changeQuery } from '../frame/address.ts';
import { Asked } from '../frame/asked.tsx';
import { Title } from '../frame/title.tsx';
import { Output } from '../text/output.tsx';

interface ToolsPageProps {
  readonly collection: string;
  readonly scenario: string;
  readonly query: URLSearchParams;
}

/** What each provider would be sent of the tools of a scenario: sent as they are, changed, or not at all. */
export function ToolsPage({ collection, scenario, query }: ToolsPageProps) {
  const name = `${collection}/${scenario}`;
  return (
    <>
      <Title text={`Tools of ${name} · Whetstone`} />
      <header class="head">
        <h1>Tools by provider</h1>
        <p class="quiet">
          What each provider is sent of the tools of{' '}
          <a href={addressOf(['scenarios', collection, scenario])}>
            <code>{name}</code>
          </a>
          , and what it does not learn of them. Answers are checked against the original all the same.
        </p>
      </header>
      <Asked
        about={`tools ${name}`}
        ask={(server, signal) => server.scenarioTools(collection, scenario, { signal })}
      >
        {({ apis }) => (
          <>
            <Matrix apis={apis} query={query} />
            <Chosen apis={apis} query={query} />
          </>
        )}
      </Asked>
    </>
  );
}

function Matrix({ apis, query }: { readonly apis: readonly ApiTools[]; readonly query: URLSearchParams }) {
  const names = apis[0]?.tools.map(({ name }) => name) ?? [];
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Tools by provider">
      <table>
        <thead>
          <tr>
            <th scope="col">Provider</th>
            {names.map((name) => (
              <th key={name} scope="col">
                <code title={name}>{name.slice(0, 40)}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {apis.map(({ api, tools }) => (
            <tr key={api}>
              <th scope="row">{api}</th>
              {tools.map((tool) => {
                const isShown = query.get('api') === api && query.get('tool') === tool.name;
                return (
                  <td key={tool.name}>
                    <button
                      class="link"
                      type="button"
                      aria-pressed={isShown}
                      aria-label={`${tool.name} for ${api}: ${stateOf(tool).text}`}
                      onClick={() => changeQuery({ api, tool: tool.name })}
                    >
                      <span class={stateOf(tool).tone}>{stateOf(tool).text}</span>
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Chosen({ apis, query }: { readonly apis: readonly ApiTools[]; readonly query: URLSearchParams }) {
  const api = query.get('api');
  const tool = apis.find((one) => one.api === api)?.tools.find(({ name }) => name === query.get('tool'));
  if (tool === undefined)
    return <p class="quiet small">Choose a cell to see what is sent, and what is lost in which field.</p>;
  return (
    <section class="panel" aria-label="What is sent">
      <h2>
        <code>{tool.name}</code> for {api}
      </h2>
      {tool.lost.length === 0 ? (
        <p>Nothing is lost.</p>
      ) : (
        <ul>
          {tool.lost.map(({ field, message }, place) => (
            <li key={place}>
              {field !== undefined && field !== '' && <code>{field} </code>}
              {message}
            </li>
          ))}
        </ul>
      )}
      {tool.wire_name !== undefined && (
        <p>
          It is called <code>{tool.wire_name}</code> there.
        </p>
      )}
      {tool.schema !== undefined && (
        <>
          <p class="small quiet">{tool.strict === true ? 'Sent, strict' : 'Sent'}</p>
          <Output text={JSON.stringify(tool.schema)} label={`Schema that ${api} is sent of ${tool.name}`} />
        </>
      )}
    </section>
  );
}

function stateOf({ sent, lost, wire_name: wireName }: SentTool): {
  readonly text: string;
  readonly tone: string;
} {
  if (!sent) return { text: '✗ not sent', tone: 'bad' };
  if (lost.length > 0) return { text: `◐ ${lost.length} lost`, tone: 'middling' };
  return { text: wireName === undefined ? '✓ whole' : '✓ whole, renamed', tone: 'good' };
}

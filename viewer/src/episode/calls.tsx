import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { ToTurn, type ShowTurn } from './criterion.tsx';
import type { Turns } from './turn-pages.ts';
import { RangeBar, turnRange, type TurnRange } from './turn-range.tsx';

interface CallsProps {
  readonly detail: EpisodeDetail;
  readonly turns: Turns;
  readonly query: URLSearchParams;
  readonly showTurn: ShowTurn;
}

/** All calls, in their order, on a line of turns; and those that were expected and never made. */
export function Calls({ detail, turns, query, showTurn }: CallsProps) {
  const range = turnRange(turns, query);
  const calls = callsOf(range, detail.explain);
  const missing = detail.explain?.expected.filter(({ turn }) => turn === undefined) ?? [];
  const names = [...new Set(calls.map(({ name }) => name))].slice(0, 12);
  return (
    <section class="panel" aria-label="Calls">
      <h2>Calls</h2>
      <RangeBar range={range} count={turns.count} />
      {calls.length === 0 && <p class="quiet">Nothing was called.</p>}
      {names.length > 0 && <Timeline names={names} calls={calls} range={range} showTurn={showTurn} />}
      {calls.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="All calls">
          <table>
            <thead>
              <tr>
                <th scope="col">Turn</th>
                <th scope="col">Tool</th>
                <th scope="col">Input</th>
                <th scope="col">Result</th>
                <th scope="col">Expected</th>
              </tr>
            </thead>
            <tbody>
              {calls.map(({ turn, index, name, input, output, failed, holds }) => (
                <tr key={`${turn} ${index}`}>
                  <td>
                    <ToTurn turn={turn} showTurn={showTurn} />
                  </td>
                  <td>
                    <code>{name.slice(0, 80)}</code>
                  </td>
                  <td class="cut">{input}</td>
                  <td class={failed ? 'cut bad' : 'cut'}>
                    {failed ? '✗ ' : ''}
                    {output}
                  </td>
                  <td>
                    {holds === undefined ? (
                      '—'
                    ) : holds ? (
                      <span class="good">✓</span>
                    ) : (
                      <span class="bad">✗</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {missing.length > 0 && (
        <>
          <h3>Expected and never made</h3>
          <ul class="plain">
            {missing.map(({ id, call, fields }) => (
              <li key={id} class="criterion">
                <span class="bad" role="img" aria-label="missed">
                  ✗
                </span>
                <span>
                  <code>{call}</code>{' '}
                  {fields.map(({ field, expected }) => `${field}: ${JSON.stringify(expected)}`).join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface CallLine {
  readonly turn: number;
  readonly index: number;
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly failed: boolean;
  readonly holds: boolean | undefined;
}

function callsOf({ turns }: TurnRange, explain: EpisodeDetail['explain']): readonly CallLine[] {
  const expected = new Map(explain?.expected.map((one) => [`${one.turn} ${one.index}`, one.holds]));
  return turns.flatMap(({ turn, messages, results }) =>
    messages
      .flatMap((message) => message.tool_calls ?? [])
      .map((call, index) => ({
        turn,
        index,
        name: call.name,
        input: (JSON.stringify(call.input) ?? '').slice(0, 160),
        output: (results?.[index]?.output ?? '').slice(0, 160),
        failed: results?.[index]?.is_error === true,
        holds: expected.get(`${turn} ${index}`),
      })),
  );
}

interface TimelineProps {
  readonly names: readonly string[];
  readonly calls: readonly CallLine[];
  readonly range: TurnRange;
  readonly showTurn: ShowTurn;
}

/** A row a tool, a mark a call: where in the episode it was made. */
function Timeline({ names, calls, range: { from, to }, showTurn }: TimelineProps) {
  const width = 600;
  const at = (turn: number): number => 8 + ((turn - from + 0.5) / (to - from + 1)) * (width - 16);
  return (
    <div class="timeline">
      {names.map((name) => (
        <div key={name}>
          <code class="small">{name.slice(0, 60)}</code>
          <svg
            viewBox={`0 0 ${width} 20`}
            role="img"
            aria-label={`${name.slice(0, 60)}: turns ${calls
              .filter((call) => call.name === name)
              .slice(0, 50)
              .map(({ turn }) => turn)
              .join(', ')}`}
          >
            <path d={`M0 10H${width}`} class="axis" />
            {calls
              .filter((call) => call.name === name)
              .slice(0, 1000)
              .map(({ turn, index, failed }) => (
                <circle
                  key={`${turn} ${index}`}
                  cx={at(turn) + index * 3}
                  cy="10"
                  r="4.5"
                  class={failed ? 'failed' : undefined}
                  onClick={() => showTurn(turn)}
                >
                  <title>turn {turn}</title>
                </circle>
              ))}
          </svg>
        </div>
      ))}
    </div>
  );
}

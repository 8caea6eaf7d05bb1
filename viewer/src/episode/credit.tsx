import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { CreditAnswer, PartCredit } from '../../../src/serve/api/explanation.ts';
import { Asked } from '../frame/asked.tsx';
import { ToTurn, type ShowTurn } from './criterion.tsx';
import type { Turns } from './turn-pages.ts';

interface CreditProps {
  readonly detail: EpisodeDetail;
  readonly turns: Turns;
  readonly showTurn: ShowTurn;
}

/** What each question and each call was worth: the reward with it, and without it. */
export function Credit({ detail, turns, showTurn }: CreditProps) {
  const { episode_id: episode, turn_count: count } = detail;
  return (
    <section class="panel" aria-label="Credit">
      <h2>What each part was worth</h2>
      <p class="quiet">
        The episode is played and graded once more without the words of one turn, or without one call.
        Everything after it is kept as it was sent: this is not what the model would have done without it.
      </p>
      <Asked
        about={`credit ${episode} ${count}`}
        ask={(server, signal) => server.credit(episode, { signal })}
      >
        {(answer) => <Parts answer={answer} turns={turns} showTurn={showTurn} />}
      </Asked>
    </section>
  );
}

interface PartsProps {
  readonly answer: CreditAnswer;
  readonly turns: Turns;
  readonly showTurn: ShowTurn;
}

function Parts({ answer: { reward, parts }, turns, showTurn }: PartsProps) {
  const widest = Math.max(0.001, ...parts.map((part) => Math.abs(part.reward)));
  if (parts.length === 0) return <p class="quiet">Nothing was said or called.</p>;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Credit of each part">
      <table>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">Part</th>
            <th scope="col" class="number">
              Worth
            </th>
            <th scope="col" class="number">
              Without it
            </th>
            <th scope="col">What changes</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={`${part.turn} ${part.index ?? 'words'}`}>
              <td>
                <ToTurn turn={part.turn} showTurn={showTurn} />
              </td>
              <td class="cut">
                {part.name === undefined ? <q>{wordsOf(part, turns)}</q> : <code>{part.name}</code>}
              </td>
              <td class="number">
                <Worth worth={part.reward} widest={widest} />
              </td>
              <td class="number">{(reward - part.reward).toFixed(3)}</td>
              <td class="cut small quiet">{changesText(part)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Worth({ worth, widest }: { readonly worth: number; readonly widest: number }) {
  const text = worth.toFixed(3);
  if (Number(text) === 0) return <span class="quiet">0</span>;
  return (
    <span class={worth > 0 ? 'worth good' : 'worth bad'}>
      <span class="worth-bar" aria-hidden="true" style={{ width: `${(Math.abs(worth) / widest) * 4}rem` }} />
      {worth > 0 ? `+${text}` : text.replace('-', '−')}
    </span>
  );
}

function wordsOf({ turn }: PartCredit, turns: Turns): string {
  const said = turns.at(turn)?.messages.find(({ role, content }) => role !== 'user' && content !== '');
  return said?.content.slice(0, 160) ?? '…';
}

function changesText({ changes }: PartCredit): string {
  const names = changes.map(({ id }) => id.replace(/@\d+$/, ''));
  const shown = [...new Set(names)].slice(0, 6).join(', ');
  return names.length === 0 ? 'nothing' : shown;
}

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { ToTurn, type ShowTurn } from './criterion.tsx';

/** What judges said, vote by vote, and what it took to ask them. */
export function Judges({
  detail,
  showTurn,
}: {
  readonly detail: EpisodeDetail;
  readonly showTurn: ShowTurn;
}) {
  const verdicts = Object.entries(detail.explain?.grade.verdicts ?? {});
  return (
    <section class="panel" aria-label="Judges">
      <h2>Judges</h2>
      {verdicts.length === 0 ? (
        <p class="quiet">
          {detail.explain
            ? 'No judge was asked: every criterion of this grade is decided by rules.'
            : 'This key may not see what judges said.'}
        </p>
      ) : (
        <div class="scroll" tabIndex={0} role="group" aria-label="Verdicts">
          <table>
            <thead>
              <tr>
                <th scope="col">Criterion</th>
                <th scope="col" class="number">
                  Score
                </th>
                <th scope="col">Votes</th>
                <th scope="col">Why</th>
                <th scope="col">Model</th>
                <th scope="col" class="number">
                  Tokens
                </th>
              </tr>
            </thead>
            <tbody>
              {verdicts.map(([id, verdict]) => (
                <tr key={id}>
                  <td>{id}</td>
                  <td class="number">{verdict.failed ? 'failed' : verdict.score.toFixed(2)}</td>
                  <td>{verdict.votes.join(', ') || '—'}</td>
                  <td>
                    {verdict.reason} <ToTurn turn={verdict.turn} showTurn={showTurn} />
                  </td>
                  <td>{verdict.model ?? '—'}</td>
                  <td class="number">
                    {verdict.usage ? (verdict.usage.input + verdict.usage.output).toLocaleString() : '—'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { FactView } from '../../../src/serve/api/explanation.ts';
import { thousandths } from './arithmetic.ts';
import { ToTurn, type ShowTurn } from './criterion.tsx';

/** What there was to find out: found in which turn, or which question or call would have brought it out, and what it was worth. */
export function Facts({ detail, showTurn }: { readonly detail: EpisodeDetail; readonly showTurn: ShowTurn }) {
  const { explain } = detail;
  if (!explain || explain.facts.length === 0) return null;
  const { facts } = explain;
  const missed = facts.filter((fact) => !fact.discovered);
  const worth = new Map(
    explain.grade.reasons.filter(({ kind }) => kind === 'fact').map(({ id, possible }) => [id, possible]),
  );
  return (
    <section class="panel" aria-label="Facts">
      <h2>Facts</h2>
      <p class="small quiet">
        {facts.length - missed.length} of {facts.length} discovered
      </p>
      <ul class="plain">
        {[...missed, ...facts.filter((fact) => fact.discovered)].map((fact) => (
          <Fact key={fact.id} fact={fact} worth={worth.get(fact.id)} showTurn={showTurn} />
        ))}
      </ul>
    </section>
  );
}

interface FactProps {
  readonly fact: FactView;
  readonly worth: number | undefined;
  readonly showTurn: ShowTurn;
}

function Fact({ fact, worth, showTurn }: FactProps) {
  const text = fact.discovered ? 'discovered' : 'missed';
  return (
    <li class="criterion">
      <span class={fact.discovered ? 'good' : 'bad'} role="img" aria-label={text} title={text}>
        {fact.discovered ? '✓' : '○'}
      </span>
      <span>
        {fact.text}{' '}
        <span class="points">
          {worth !== undefined && `${fact.discovered ? '' : 'worth '}${thousandths(worth * 1000)}`}
          <ToTurn turn={fact.turn} showTurn={showTurn} />
        </span>
        {fact.question !== undefined && (
          <span class="would-ask">
            Would have brought it out: <q>{fact.question}</q>
          </span>
        )}
        {fact.call !== undefined && (
          <span class="would-ask">
            Would have shown it: <code>{fact.call}</code>
          </span>
        )}
      </span>
    </li>
  );
}

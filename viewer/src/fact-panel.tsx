import type { FactView } from '../../src/serve/api/episode.ts';

interface FactPanelProps {
  readonly facts: readonly FactView[];
  readonly showTurn: (turn: number) => void;
}

/** What the person knows: discovered, and missed. */
export function FactPanel({ facts, showTurn }: FactPanelProps) {
  const found = facts.filter((fact) => fact.discovered);
  const missed = facts.filter((fact) => !fact.discovered);
  return (
    <section class="panel" aria-label="Facts">
      <h2>
        Facts <span class="quiet">{`${found.length} of ${facts.length} discovered`}</span>
      </h2>
      <ul class="plain">
        {found.map((fact) => (
          <Fact key={fact.id} fact={fact} showTurn={showTurn} />
        ))}
        {missed.map((fact) => (
          <Fact key={fact.id} fact={fact} showTurn={showTurn} />
        ))}
      </ul>
    </section>
  );
}

function Fact({ fact, showTurn }: { readonly fact: FactView; readonly showTurn: (turn: number) => void }) {
  const { turn } = fact;
  return (
    <li class="criterion">
      <span class={fact.discovered ? 'good' : 'quiet'} aria-label={fact.discovered ? 'discovered' : 'missed'}>
        {fact.discovered ? '✓' : '○'}
      </span>
      <span class={fact.discovered ? undefined : 'quiet'}>
        {fact.text}
        {turn !== undefined && turn > 0 && (
          <>
            {' '}
            <button class="link" type="button" onClick={() => showTurn(turn)}>
              turn {turn}
            </button>
          </>
        )}
      </span>
    </li>
  );
}

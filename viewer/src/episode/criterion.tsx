import type { Reason } from '../../../src/serve/api/grade.ts';
import { plain } from './arithmetic.ts';

export type ShowTurn = (turn: number) => void;

interface CriterionProps {
  readonly reason: Reason;
  readonly showTurn: ShowTurn;
  /** What it earned, where another rounding than its own is shown. */
  readonly points?: string;
}

/** One criterion: a sign, why, what it earned, and the way to its turn. */
export function Criterion({ reason, showTurn, points = pointsText(reason) }: CriterionProps) {
  const mark = markOf(reason);
  return (
    <li class="criterion" id={`reason-${reason.kind}-${reason.id}`}>
      <span class={mark.tone} role="img" aria-label={mark.text} title={mark.text}>
        {mark.sign}
      </span>
      <span>
        {plain(reason.reason)}{' '}
        {reason.times !== undefined && <strong>{reason.times.toLocaleString()} times, first in </strong>}
        <span class="points">
          {points}
          <ToTurn turn={reason.turn} showTurn={showTurn} />
        </span>
      </span>
    </li>
  );
}

/** The way to a turn; the opening, turn 0, is on the page anyway. */
export function ToTurn({
  turn,
  showTurn,
}: {
  readonly turn: number | undefined;
  readonly showTurn: ShowTurn;
}) {
  if (turn === undefined || turn === 0) return null;
  return (
    <>
      {' '}
      <button class="link" type="button" onClick={() => showTurn(turn)}>
        turn {turn}
      </button>
    </>
  );
}

function markOf(reason: Reason): { readonly sign: string; readonly text: string; readonly tone: string } {
  if (reason.not_judged === true) return { sign: '?', text: 'not judged', tone: 'quiet' };
  if (reason.kind === 'fatal' || reason.kind === 'prohibited')
    return { sign: '✗', text: 'fatal', tone: 'bad' };
  if (reason.earned < 0) return { sign: '−', text: 'penalty', tone: 'bad' };
  if (reason.earned >= reason.possible) return { sign: '✓', text: 'earned', tone: 'good' };
  return reason.earned > 0
    ? { sign: '◐', text: 'earned in part', tone: 'middling' }
    : { sign: '✗', text: 'missed', tone: 'bad' };
}

function pointsText(reason: Reason): string {
  const earned = Number(reason.earned.toFixed(2));
  return reason.possible > 0 ? `${earned} of ${Number(reason.possible.toFixed(2))}` : String(earned);
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { EpisodeTurn } from '../../../src/serve/api/turn.ts';
import { Sparkline } from '../chart/sparkline.tsx';
import { actionWords } from '../film/action-words.ts';
import type { ShowTurn } from './criterion.tsx';
import type { Turns } from './turn-pages.ts';

interface OutlineProps {
  readonly turns: Turns;
  readonly curve: readonly number[];
  readonly shown: number | undefined;
  readonly showTurn: ShowTurn;
}

const rowHeight = 28;

/** Every turn in a line, under the curve of what was earned so far. Of thousands, only those in sight are there. */
export function Outline({ turns, curve, shown, showTurn }: OutlineProps) {
  const box = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  useEffect(() => {
    if (shown === undefined || box.current === null) return;
    const place = (shown - 1) * rowHeight;
    const { scrollTop, clientHeight } = box.current;
    if (place < scrollTop || place > scrollTop + clientHeight - rowHeight)
      box.current.scrollTop = place - clientHeight / 2;
  }, [shown]);
  const from = Math.max(0, Math.floor(top / rowHeight) - 10);
  const to = Math.min(turns.count, from + 20 + Math.ceil(innerHeight / rowHeight));
  const sparkline = useMemo(
    () => (
      <Sparkline
        values={curve}
        label={`Earned so far, turn by turn: ${curve.length === 0 ? 'nothing yet' : `at last ${curve.at(-1)!.toFixed(2)}`}`}
        onPick={(index) => showTurn(index + 1)}
      />
    ),
    [curve, showTurn],
  );
  return (
    <nav class="outline" aria-label="Turns">
      {sparkline}
      <ol
        ref={box}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        style={{ '--before': `${from * rowHeight}px`, '--after': `${(turns.count - to) * rowHeight}px` }}
      >
        {Array.from({ length: to - from }, (_, index) => from + index + 1).map((turn) => (
          <li key={turn} value={turn}>
            <button
              type="button"
              aria-current={turn === shown ? 'true' : undefined}
              onClick={() => showTurn(turn)}
            >
              <span class="quiet">{turn}</span>
              <Line turn={turns.at(turn)} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** What was said first in a turn, and how much was called. */
function Line({ turn }: { readonly turn: EpisodeTurn | undefined }) {
  if (turn === undefined) return <span class="line quiet">…</span>;
  const all = turn.messages.flatMap((message) => message.tool_calls ?? []);
  const calls = all.length;
  const [action] = all.flatMap(({ actions = [] }) => actions);
  const said =
    turn.messages.find((message) => message.content !== '')?.content ?? (action && actionWords(action)) ?? '';
  return (
    <>
      <span class="line">{said.slice(0, 60) || (calls > 0 ? 'calls only' : '—')}</span>
      {calls > 0 && action === undefined && (
        <span class="quiet">{calls === 1 ? '1 call' : `${calls} calls`}</span>
      )}
    </>
  );
}

/** Earned so far after each turn: the rewards where turns were scored, else the credit of the reasons up to it. */
export function earnedCurve(detail: EpisodeDetail): readonly number[] {
  if (detail.turns.some(({ scores }) => scores !== undefined))
    return detail.turns.map(({ reward }) => reward);
  const gains = new Map<number, number>();
  for (const { turn, earned, kind } of detail.explain?.grade.reasons ?? [])
    if (turn !== undefined && kind !== 'success' && kind !== 'required')
      gains.set(turn, (gains.get(turn) ?? 0) + earned);
  let sum = gains.get(0) ?? 0;
  return detail.turns.map(({ turn }) => {
    sum += gains.get(turn) ?? 0;
    return Math.min(1, Math.max(0, sum));
  });
}

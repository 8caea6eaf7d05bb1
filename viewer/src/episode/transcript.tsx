import { useMemo } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { Windowed } from '../list/windowed.tsx';
import { Pictures } from '../text/pictures.tsx';
import { Words } from '../text/words.tsx';
import type { Turns } from './turn-pages.ts';
import { TurnView } from './turn-view.tsx';

interface TranscriptProps {
  readonly detail: EpisodeDetail;
  readonly turns: Turns;
  /** The turn to show. */
  readonly goal: { readonly item: number; readonly asked: number } | undefined;
  readonly onFork: ((turn: number) => void) | undefined;
}

/** What the model saw first, and turn after turn. */
export function Transcript({ detail, turns, goal, onFork }: TranscriptProps) {
  const { explain } = detail;
  const notes = useMemo(() => byTurn(explain?.notes ?? []), [explain]);
  const expected = useMemo(() => byTurn(explain?.expected ?? []), [explain]);
  const voices = useMemo(() => byTurn(explain?.voices ?? []), [explain]);
  const facts = useMemo(() => byTurn(explain?.facts ?? []), [explain]);
  return (
    <section class="panel transcript" aria-label="Transcript">
      <div class="briefing">
        <p class="speaker">What the model saw first</p>
        <Words text={detail.initial_observation.content} lines={3} />
        <Pictures images={detail.initial_observation.images} />
      </div>
      {turns.count === 0 && <p class="quiet">No turn yet.</p>}
      <Windowed
        count={turns.count}
        estimate={180}
        // Once the turn has come it has its height, and is brought to its place again.
        goal={goal && { item: goal.item - 1, asked: goal.asked + (turns.at(goal.item) ? 0.5 : 0) }}
      >
        {(item) => {
          const turn = turns.at(item + 1);
          return (
            turn && (
              <TurnView
                turn={turn}
                tools={detail.tools}
                notes={notes.get(turn.turn) ?? []}
                expected={expected.get(turn.turn) ?? []}
                voice={voices.get(turn.turn)?.[0]}
                found={(facts.get(turn.turn) ?? []).map(({ id }) => id)}
                shown={goal?.item === turn.turn}
                onFork={onFork}
              />
            )
          );
        }}
      </Windowed>
    </section>
  );
}

/** Looked up once for each turn, instead of searched once for each call. */
function byTurn<Item extends { readonly turn?: number }>(
  items: readonly Item[],
): ReadonlyMap<number, readonly Item[]> {
  const found = new Map<number, Item[]>();
  for (const item of items) {
    if (item.turn === undefined) continue;
    const list = found.get(item.turn);
    if (list) list.push(item);
    else found.set(item.turn, [item]);
  }
  return found;
}

import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import { ToTurn, type ShowTurn } from '../episode/criterion.tsx';
import type { Turns } from '../episode/turn-pages.ts';
import { Output } from '../text/output.tsx';
import { actionWords } from './action-words.ts';
import { Screen } from './screen.tsx';
import { type Frame, frameIn } from './track.ts';
import { useFrame } from './use-frame.ts';

interface FilmProps {
  readonly frames: NonNullable<NonNullable<EpisodeDetail['log']>['frames']>;
  readonly turns: Turns;
  readonly query: URLSearchParams;
  readonly showTurn: ShowTurn;
}

const frameMs = 900;
/** The pointer's path is shown over this many frames. */
const trail = 6;

/** What a computer's screen showed, picture after picture: where the pointer went, and what was done. */
export function Film({ frames, turns, query, showTurn }: FilmProps) {
  const { at, show, step } = useFrame(frames.length, query);
  const [isPlaying, setPlaying] = useState(false);
  const [seen, setSeen] = useState<string>();
  const frameAt = (place: number): Frame | undefined => {
    const found = frames[place - 1];
    return found && frameIn(turns.at(found.turn), found.result);
  };
  const frame = frameAt(at);
  const before = Array.from({ length: Math.min(trail, at - 1) }, (_, index) =>
    frameAt(at - Math.min(trail, at - 1) + index),
  );
  const picture = frame?.result.images?.at(-1);
  const isOver = at === frames.length;
  // The next one waits until this one is seen.
  useEffect(() => {
    if (!isPlaying || picture === undefined || seen !== picture.href) return undefined;
    if (isOver) return setPlaying(false);
    const next = setTimeout(() => show(at + 1), frameMs);
    return () => clearTimeout(next);
  }, [isPlaying, seen, at, isOver]);
  const play = (): void => {
    if (isOver) show(1);
    setPlaying(!isPlaying);
  };
  useFilmKeys({ count: frames.length, show, step, play });
  const following = frameAt(at + 1)?.result.images?.at(-1);
  return (
    <section class="panel film" aria-label="Computer">
      <div class="row controls">
        <button class="plain" type="button" disabled={at === 1} onClick={() => show(at - 1)}>
          Previous
        </button>
        <button class="plain" type="button" aria-pressed={isPlaying} onClick={play}>
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button class="plain" type="button" disabled={isOver} onClick={() => show(at + 1)}>
          Next
        </button>
        <input
          type="range"
          aria-label="Frame"
          min={1}
          max={frames.length}
          value={at}
          onInput={(event) => show(Number(event.currentTarget.value))}
        />
        <output class="small quiet">{`${at.toLocaleString()} of ${frames.length.toLocaleString()}`}</output>
      </div>
      {frame === undefined || picture === undefined ? (
        <p class="quiet waiting">Asking for the frame …</p>
      ) : (
        <>
          <Screen
            frame={frame}
            picture={picture}
            before={before.filter((one) => one !== undefined)}
            onSeen={() => setSeen(picture.href)}
          />
          <Caption frame={frame} showTurn={showTurn} />
        </>
      )}
      {/* Already here when it is its turn. */}
      {following !== undefined && <img hidden src={following.href} alt="" />}
    </section>
  );
}

/** What was done, and what came of it. */
function Caption({ frame, showTurn }: { readonly frame: Frame; readonly showTurn: ShowTurn }) {
  const { turn, actions, call, result } = frame;
  const words = actions.map(actionWords);
  return (
    <div class="caption" aria-live="polite">
      <p>
        <ToTurn turn={turn} showTurn={showTurn} />{' '}
        <strong>{(words.join(', then ') || (call?.name ?? result.name)).slice(0, 1000)}</strong>
        {result.is_error === true && <span class="bad"> ✗ failed</span>}
      </p>
      {result.output !== '' && (
        <Output text={result.output} bad={result.is_error === true} label="What it answered" lines={6} />
      )}
    </div>
  );
}

interface FilmKeys {
  readonly count: number;
  readonly show: (frame: number) => void;
  readonly step: (by: number) => void;
  readonly play: () => void;
}

/** Arrows go through the frames, space plays. A control with the focus keeps its keys. */
function useFilmKeys({ count, show, step, play }: FilmKeys): void {
  // At once: whoever sees the picture may press a key.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      if (altKey || ctrlKey || metaKey) return;
      const isOn = (controls: string): boolean => target instanceof Element && target.matches(controls);
      const move = {
        ArrowLeft: () => step(-1),
        ArrowRight: () => step(1),
        Home: () => show(1),
        End: () => show(count),
      }[key];
      if (move !== undefined && !isOn('input, textarea, select')) move();
      else if (key === ' ' && !isOn('button, a, summary')) play();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

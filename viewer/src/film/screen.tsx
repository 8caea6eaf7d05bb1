import { useState } from 'preact/hooks';

import type { ResultImage } from '../../../src/serve/api/message.ts';
import { actionWords } from './action-words.ts';
import { type Frame, trackOf } from './track.ts';

interface ScreenProps {
  readonly frame: Frame;
  readonly picture: ResultImage;
  /** The frames before it, whose way of the pointer leads to it. */
  readonly before: readonly Frame[];
  /** Called when it is there, or will not come. */
  readonly onSeen: () => void;
}

/** One picture, and over it the way of the pointer. */
export function Screen({ frame, picture, before, onSeen }: ScreenProps) {
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  const [lost, setLost] = useState<string>();
  const done = frame.actions.map(actionWords).join(', then ');
  const isLost = lost === picture.href;
  return (
    <figure class="screen">
      {isLost ? (
        <p class="quiet">This picture is missing.</p>
      ) : (
        <img
          src={picture.href}
          alt={`The screen after: ${done.slice(0, 300) || frame.result.name}`}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            setSize((last) => (last?.width === width && last.height === height ? last : { width, height }));
            onSeen();
          }}
          onError={() => {
            setLost(picture.href);
            onSeen();
          }}
        />
      )}
      {!isLost && size !== undefined && <Way frame={frame} before={before} size={size} />}
    </figure>
  );
}

function Way({
  frame,
  before,
  size,
}: Pick<ScreenProps, 'frame' | 'before'> & {
  readonly size: { readonly width: number; readonly height: number };
}) {
  const earlier = before.flatMap((one) => trackOf(one, size));
  const now = trackOf(frame, size);
  const last = now.at(-1) ?? earlier.at(-1);
  if (last === undefined) return null;
  const from = earlier.at(-1);
  const line = (points: readonly (readonly [number, number])[]): string =>
    points.map((point) => point.join(',')).join(' ');
  const unit = Math.max(size.width, size.height) / 100;
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true" style={{ '--unit': unit }}>
      <polyline class="before" points={line(earlier)} />
      <polyline class="now" points={line(from === undefined ? now : [from, ...now])} />
      <circle cx={last[0]} cy={last[1]} r={1.2 * unit} />
      <circle class="point" cx={last[0]} cy={last[1]} r={0.3 * unit} />
    </svg>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';

import { changeQuery } from '../frame/address.ts';

interface Frame {
  readonly at: number;
  readonly show: (frame: number) => void;
  /** This many frames on from the one then shown: keys may come faster than the page is drawn. */
  readonly step: (by: number) => void;
}

/** Which frame is shown, counted from 1. It is in the address as soon as it is looked at for a moment. */
export function useFrame(count: number, query: URLSearchParams): Frame {
  const within = (frame: number): number => Math.min(count, Math.max(1, Math.floor(frame) || 1));
  const asked = within(Number(query.get('frame')));
  const [at, setAt] = useState(asked);
  // What this has put into the address itself is not asked for: by then a key may have gone on.
  const written = useRef(asked);
  useEffect(() => {
    if (asked !== written.current) setAt(asked);
    written.current = asked;
  }, [asked]);
  useEffect(() => {
    if (at === asked) return undefined;
    // A slider passes by hundreds, and a browser takes only a few addresses a second.
    const settled = setTimeout(() => {
      written.current = at;
      changeQuery({ frame: String(at) });
    }, 150);
    return () => clearTimeout(settled);
  }, [at]);
  return {
    at: within(at),
    show: (frame) => setAt(within(frame)),
    step: (by) => setAt((now) => within(now + by)),
  };
}

import { useEffect, useState } from 'preact/hooks';

import { changeQuery } from '../frame/address.ts';

/** Which frame is shown, counted from 1. It is in the address as soon as it is looked at for a moment. */
export function useFrame(
  count: number,
  query: URLSearchParams,
): { readonly at: number; readonly show: (frame: number) => void } {
  const within = (frame: number): number => Math.min(count, Math.max(1, Math.floor(frame) || 1));
  const asked = within(Number(query.get('frame')));
  const [at, setAt] = useState(asked);
  useEffect(() => setAt(asked), [asked]);
  useEffect(() => {
    if (at === asked) return undefined;
    // A slider passes by hundreds, and a browser takes only so many addresses a second.
    const settled = setTimeout(() => changeQuery({ frame: String(at) }), 150);
    return () => clearTimeout(settled);
  }, [at]);
  return { at: within(at), show: (frame) => setAt(within(frame)) };
}

import { useEffect, useState } from 'preact/hooks';

/** A number that grows while somebody looks at the page: whatever shows the present asks again when it changes. */
export function usePulse(milliseconds: number): number {
  const [pulse, setPulse] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setPulse((last) => last + 1);
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
  return pulse;
}

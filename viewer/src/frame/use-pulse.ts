import { useEffect, useState } from 'preact/hooks';

/** A number that grows while somebody looks at the page: what shows the present asks anew with it. */
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

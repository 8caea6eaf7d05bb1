import { useEffect } from 'preact/hooks';

const places = new Map<string, number>();

/** Back returns to the place that was left; a link begins at the top. */
export function useScroll(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    let goesBack = false;
    let current = location.hash;
    const { navigation } = globalThis as { readonly navigation?: EventTarget };
    const begin = (event: Event): void => {
      goesBack = (event as unknown as { readonly navigationType: string }).navigationType === 'traverse';
    };
    const remember = (): void => {
      places.set(current, scrollY);
    };
    const follow = (): void => {
      if (location.hash === current) return;
      const sameView = location.hash.split('?')[0] === current.split('?')[0];
      current = location.hash;
      const place = goesBack ? (places.get(current) ?? 0) : 0;
      if (sameView && !goesBack) return;
      // Rows come back from memory at once, but only when the view is drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, place)));
    };
    navigation?.addEventListener('navigate', begin);
    addEventListener('scroll', remember, { passive: true });
    addEventListener('hashchange', follow);
    return () => {
      navigation?.removeEventListener('navigate', begin);
      removeEventListener('scroll', remember);
      removeEventListener('hashchange', follow);
    };
  }, []);
}

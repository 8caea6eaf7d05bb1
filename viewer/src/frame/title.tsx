import { useEffect } from 'preact/hooks';

import { visible } from '../text/visible.ts';

/** Names the page in the browser's tabs and history. */
export function Title({ text }: { readonly text: string }) {
  useEffect(() => {
    document.title = visible(text);
  }, [text]);
  return null;
}

import { useEffect } from 'preact/hooks';

/** Names the page in the browser's tabs and history. */
export function Title({ text }: { readonly text: string }) {
  useEffect(() => {
    document.title = text;
  }, [text]);
  return null;
}

import { useState } from 'preact/hooks';

/** Copies a text, and says whether it could. */
export function Copy({ text, children = 'Copy' }: { readonly text: string; readonly children?: string }) {
  const [state, setState] = useState<'ready' | 'done' | 'refused'>('ready');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('done'),
      () => setState('refused'),
    );
  };
  return (
    <button class="link" type="button" onClick={copy}>
      {state === 'ready' ? children : state === 'done' ? 'Copied' : 'The browser refused to copy'}
    </button>
  );
}

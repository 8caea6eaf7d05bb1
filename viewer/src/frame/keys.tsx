import { useEffect, useRef } from 'preact/hooks';

const keys: readonly (readonly [key: string, does: string])[] = [
  ['j', 'next row or turn'],
  ['k', 'previous row or turn'],
  ['← →', 'previous or next episode of the list, or frame of a film'],
  ['Space', 'play or pause a film'],
  ['Enter', 'open the row'],
  ['/', 'search'],
  ['g h', 'home'],
  ['g r', 'runs'],
  ['g e', 'episodes'],
  ['g p', 'players'],
  ['g s', 'scenarios'],
  ['g t', 'training'],
  ['?', 'these keys'],
];

/** Keys that work on every page, except while somebody is writing. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let before = '';
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      const { key } = event;
      if (key === '?') dialog.current?.showModal();
      else if (key === '/') {
        const field = document.querySelector<HTMLInputElement>('input[type=search]');
        if (field === null) location.hash = '#/episodes?focus=search';
        field?.focus();
      } else if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1);
      else if (before === 'g' && key in places) location.hash = places[key as keyof typeof places];
      else {
        before = key;
        return;
      }
      before = '';
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <dialog ref={dialog} aria-label="Keys">
      <h2>Keys</h2>
      <dl class="pairs">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="plain" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}

const places = {
  h: '#/',
  r: '#/runs',
  e: '#/episodes',
  p: '#/players',
  s: '#/scenarios',
  t: '#/training',
} as const;

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT|DIALOG)$/.test(target.tagName);
}

/** Moves the focus to the next or the last of what a view marks with `data-step`. */
function step(by: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>('[data-step]')];
  const at = stops.findIndex(
    (stop) => stop === document.activeElement || stop.contains(document.activeElement),
  );
  const next = at >= 0 ? stops[at + by] : stops.find((stop) => stop.getBoundingClientRect().top >= 60);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

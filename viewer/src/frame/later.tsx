import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What is asked for when the page has nothing else to do: it is then there also when the server is not. */
const rest: (() => Promise<unknown>)[] = [];

/** A view whose code comes when it is first shown, so that the first view of a page does not wait for it. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let View: ComponentType<Props> | undefined;
  const come = async (): Promise<void> => {
    View ??= await load();
  };
  rest.push(come);
  return function Later(props: Props) {
    const [fault, setFault] = useState<Error>();
    const [, draw] = useState(false);
    useEffect(() => {
      if (View === undefined) come().then(() => draw(true), setFault);
    }, []);
    if (View !== undefined) return <View {...props} />;
    if (fault === undefined) return <p class="quiet waiting">Asking the server …</p>;
    return (
      <div class="notice" role="alert">
        <h1>This view could not be loaded</h1>
        <p>{fault.message}</p>
        <p>
          <button class="plain" type="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </p>
      </div>
    );
  };
}

/**
 * The other views, once the first one is there. One after the other: a browser has six connections to a server, and what
 * somebody clicks meanwhile must find one of them free.
 */
export function loadRest(): void {
  setTimeout(() => void comeInTurn(), 2000);
}

async function comeInTurn(): Promise<void> {
  for (const come of rest) await come().catch(() => undefined); // Opening the view reports it.
}

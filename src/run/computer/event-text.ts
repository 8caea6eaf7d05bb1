import type { ComputerEvent } from './computer.ts';

/** What a model is told of something else that happened; undefined if the answer shows it anyway. */
export function eventText(event: ComputerEvent): string | undefined {
  if (event.type === 'refused') return `The page wanted to open ${event.url}. ${event.message}`;
  if (event.type !== 'dialog') return undefined;
  return `The page showed a dialog (${event.kind}): ${JSON.stringify(event.message)}. It was ${event.answer}.`;
}

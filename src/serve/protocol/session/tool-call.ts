import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { TurnOutcome } from '../../../grade/episode/outcome.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import { actionBook, sayOffer } from './offer.ts';
import type { Action } from './session.ts';

/** What a call of an offered tool does in a task. A call of nothing that is known is refused in words for the model. */
export function readToolCall(
  task: Task,
  { name, input }: { readonly name: string; readonly input: JsonValue },
): Action {
  if (name === sayOffer.name) {
    const message = isJsonObject(input) ? input['message'] : undefined;
    if (typeof message !== 'string')
      throw new WhetstoneError('request_invalid', 'say needs a message that is a string.');
    return { message, calls: [] };
  }
  const book = actionBook(task);
  const call = book.callOf(name, input);
  if (call === undefined)
    throw new WhetstoneError(
      'request_invalid',
      `There is no tool "${name.slice(0, 100)}". Known: ${book.offers.map((offer) => offer.name).join(', ')}.`,
    );
  return { message: '', calls: [call] };
}

/** What a model is shown of a turn: what its calls gave, and what the person answered. */
export function textOf({ results, observation }: TurnOutcome): string {
  return [...results.map(({ name, output }) => `${name}: ${output}`), observation.content]
    .filter((part) => part !== '')
    .join('\n\n');
}

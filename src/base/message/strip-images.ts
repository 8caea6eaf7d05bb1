import type { Message } from './message.ts';
import { withoutImages } from './part.ts';
import { readMessages } from './read-message.ts';
import type { Result } from './result.ts';

/** What is said where there was nothing but images: an empty message or result would be refused. */
const leftOut = '[An image was left out: this model cannot see.]';

/**
 * The history for a model that cannot see: images are left out, and so are the words that speak about them
 * (`linkedToImage`). Messages without images are the same objects.
 */
export function stripImages(messages: readonly Message[]): readonly Message[] {
  const blind = blinded(messages);
  return blind.every((message, index) => message === messages[index]) ? messages : blind;
}

/** A history that cannot even be walked is caught at the entrance, which names the field. */
function blinded(messages: readonly Message[]): readonly Message[] {
  try {
    return messages.map(onceBlind);
  } catch (error) {
    readMessages(messages);
    throw error;
  }
}

/** A message that was changed once is the same object each time, so that what is made of it can be kept. */
const kept = new WeakMap<Message, Message>();

function onceBlind(message: Message): Message {
  const blind = kept.get(message) ?? blindMessage(message);
  if (blind !== message) kept.set(message, blind);
  return blind;
}

function blindMessage(message: Message): Message {
  if (message.role === 'tool') {
    const results = message.results.map(blindResult);
    return results.every((result, index) => result === message.results[index])
      ? message
      : { ...message, results };
  }
  if (typeof message.content === 'string') return message;
  const content = withoutImages<(typeof message.content)[number]>(message.content);
  if (content === message.content) return message;
  const told = content.length > 0 ? content : [{ type: 'text' as const, text: leftOut }];
  return { ...message, content: told } as Message;
}

function blindResult(result: Result): Result {
  const content = withoutImages(result.content);
  if (content === result.content) return result;
  return { ...result, content: content.length > 0 ? content : [{ type: 'text', text: leftOut }] };
}

import type { ModelError } from '../../base/message/model.ts';
import type { Chunk } from '../adapter.ts';
import { readError } from './error.ts';

/** A message of a stream that is neither JSON nor the sign that ends some streams, nor one of life. */
export function isGarbled({ event = '', text }: Chunk): boolean {
  if (/^(ping|heartbeat|keep-?alive)$/i.test(event)) return false;
  return text !== undefined && text.trim() !== '' && text.trim() !== '[DONE]';
}

/**
 * Why a stream with such a message is at its end: a piece of a call's arguments may be lost in it, and what is left
 * of them may still parse.
 */
export function garbledError({ event = '', text = '' }: Chunk): ModelError {
  // Somebody in between says so in plain words.
  if (/error|exception/i.test(event)) return { ...readError(undefined, text), kind: 'server' };
  return {
    kind: 'network',
    message: `A message of the stream is not JSON, so part of the reply was lost on the way: ${JSON.stringify(text.slice(0, 80))}.`,
    raw: text,
  };
}

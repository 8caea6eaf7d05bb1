import type { Message } from '../../base/message/message.ts';
import { textPart } from '../../base/message/part.ts';
import type { ImagePart, UserPart } from '../../base/message/part.ts';

/** Google's models draw in their replies, and its APIs take a picture back as what a model said. */
const drawing = /^gemini/;

/**
 * Pictures that a model drew, for an API that refuses them in what a model said (Anthropic: "'image' blocks
 * are not permitted within assistant turns") or has no place for them there: they are at the head of what the user
 * says next, or behind the results.
 */
export function pictureCarrier(api: string): (message: Message) => readonly Message[] {
  if (drawing.test(api)) return (message) => [message];
  let held: readonly ImagePart[] = [];
  const release = (): readonly UserPart[] => {
    const pictures = held;
    held = [];
    return [textPart('From the answer before:'), ...pictures];
  };
  return (message) => {
    if (message.role === 'assistant') {
      const pictures = message.content.filter((part) => part.type === 'image');
      if (pictures.length === 0) return [message];
      held = [...held, ...pictures];
      const content = message.content.map((part) =>
        part.type === 'image' ? textPart('[an image follows]') : part,
      );
      return [{ ...message, content }];
    }
    if (held.length === 0 || message.role === 'system') return [message];
    if (message.role === 'tool') return [message, { role: 'user', content: release() }];
    const said = typeof message.content === 'string' ? [textPart(message.content)] : message.content;
    return [{ ...message, content: [...release(), ...said] }];
  };
}

import type { DocumentPart, ImagePart, ResultPart, UserPart } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';

/** A result as text, for an API whose results hold nothing else; an error is marked where there is no flag. */
export function resultText(result: Result): string {
  const text = result.content.flatMap(partText).join('\n');
  return result.isError === true ? errorText(text) : text;
}

/** What the text could not carry, to be sent with it, each preceded by a line that says where it belongs. */
export function mediaBesides(results: readonly Result[]): readonly UserPart[] {
  return results.flatMap((result) => {
    const media = result.content.filter(isMedia);
    if (media.length === 0) return [];
    return [
      { type: 'text' as const, text: `From the result of ${result.name} (${result.callId}):` },
      ...media,
    ];
  });
}

/** For an error that says nothing in words, where an API wants words. */
export const wordlessError = 'The tool failed.';

/** An error as text; one that already says `error` in JSON stays as it is. */
export function errorText(text: string): string {
  return /^\s*\{\s*"error"/.test(text) ? text : JSON.stringify({ error: text });
}

function partText(part: ResultPart): readonly string[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'document' && part.source.kind === 'text') return [part.source.text];
  if (part.type === 'image') return ['[an image follows]'];
  if (part.type === 'document') return [`[a document follows: ${part.title ?? part.source.kind}]`];
  return [];
}

function isMedia(part: ResultPart): part is ImagePart | DocumentPart {
  return part.type === 'image' || (part.type === 'document' && part.source.kind !== 'text');
}

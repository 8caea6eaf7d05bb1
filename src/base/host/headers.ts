import { WhetstoneError } from './errors.ts';

/**
 * Refuses a header that HTTP cannot carry before it reaches `fetch`, whose own error repeats the value: that is a key
 * more often than not, such as one with a line break from a file, or the `…` of an example.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>, remedy: string): void {
  for (const [name, value] of Object.entries(headers)) {
    // Blanks around a value are cut off by `fetch`.
    const wrong = /[^\t\x20-\x7e\x80-\xff]/.exec(String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, ''));
    const isName = /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
    if (wrong === null && isName) continue;
    const what = isName
      ? `its value holds ${nameOf(wrong![0])}, which no header may have`
      : 'its name is not one that HTTP allows';
    throw new WhetstoneError(
      'header_invalid',
      `The header ${JSON.stringify(name)} cannot be sent: ${what}. ${remedy}`,
      { details: { header: name } },
    );
  }
}

function nameOf(character: string): string {
  if (/[\r\n]/.test(character)) return 'a line break';
  const code = character.charCodeAt(0);
  return code < 32 || code === 127 ? `the control character ${code}` : `the character "${character}"`;
}

/** Text of a file or a pipe without the mark that editors on Windows put in front; no JSON begins with it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

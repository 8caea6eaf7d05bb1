/** docs/errors.md, from the table of errors. */
export function errorsPage(codes: readonly ErrorEntry[]): string {
  const parts = [
    '# Errors',
    'Every error that Whetstone throws is a `WhetstoneError` with one of these codes in `code`, a `message` that names the values, the values themselves in `details`, and where another error led to it, that one in `cause`. What a model does wrong is not an error but a result that it can read. Written by `npm run docs` from `src/base/host/errors.ts`.',
  ];
  for (const room of new Set(codes.map((code) => code.room))) {
    parts.push(`## ${room}`, '| code | what it means | what to do |\n| --- | --- | --- |');
    const rows = codes.filter((code) => code.room === room);
    parts.push(
      `${parts.pop()}\n${rows.map((row) => `| \`${row.code}\` | ${cell(row.meaning)} | ${cell(row.remedy)} |`).join('\n')}`,
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export interface ErrorEntry {
  readonly code: string;
  /** The room whose error it is. */
  readonly room: string;
  readonly meaning: string;
  readonly remedy: string;
}

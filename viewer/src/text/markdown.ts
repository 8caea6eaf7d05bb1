/** Markdown as models write it, as data: the page makes nodes of it, never markup. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' };

export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

const bullet = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])\s+/;

/** Splits a text into its blocks, in one pass over its lines. */
export function readBlocks(text: string): readonly Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const take = (test: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (at < lines.length && test(lines[at]!)) taken.push(lines[at++]!);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const fence = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (line.trim() === '') at++;
    else if (fence !== undefined) {
      at++;
      const code = take((next) => !next.trimStart().startsWith(fence));
      at++;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (/^#{1,6}\s/.test(line)) {
      blocks.push({ kind: 'heading', text: line.replace(/^#+\s+/, '') });
      at++;
    } else if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
      blocks.push({ kind: 'rule' });
      at++;
    } else if (line.startsWith('>')) {
      const quoted = take((next) => next.startsWith('>'));
      blocks.push({ kind: 'quote', text: quoted.map((one) => one.replace(/^>\s?/, '')).join('\n') });
    } else if (bullet.test(line)) {
      blocks.push(readList(take((next) => bullet.test(next) || /^\s{2,}\S/.test(next))));
    } else if (line.startsWith('|') && /^\|[\s:|-]+\|?\s*$/.test(lines[at + 1] ?? '')) {
      const rows = take((next) => next.startsWith('|'));
      blocks.push({ kind: 'table', rows: rows.filter((_, row) => row !== 1).map(cellsOf) });
    } else {
      const first = lines[at++]!;
      const rest = take(
        (next) => next.trim() !== '' && !/^(?:```|~~~|#{1,6}\s|>|\|)/.test(next) && !bullet.test(next),
      );
      blocks.push({ kind: 'paragraph', text: [first, ...rest].join('\n') });
    }
  }
  return blocks;
}

function readList(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    if (bullet.test(line)) items.push(line.replace(bullet, ''));
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  return { kind: 'list', ordered: /^\s*\d/.test(lines[0] ?? ''), items };
}

function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Stress in underscores begins and ends at a word's: `claim_status_id` is one word. */
const inline =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\s][^*\n]*)\*|(?<!\w)_([^_\s][^_\n]*)_(?!\w)|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000})\)/g;

/** Splits a line of text into code, stress and links. A link goes to the web or is not a link. */
export function readInline(text: string): readonly Inline[] {
  const found: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(inline)) {
    if (match.index > from) found.push({ kind: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    const [, code, strong, alsoStrong, emphasis, alsoEmphasis, label, url] = match;
    if (code !== undefined) found.push({ kind: 'code', text: code });
    else if (strong !== undefined || alsoStrong !== undefined)
      found.push({ kind: 'strong', text: (strong ?? alsoStrong)! });
    else if (emphasis !== undefined || alsoEmphasis !== undefined)
      found.push({ kind: 'emphasis', text: (emphasis ?? alsoEmphasis)! });
    else found.push({ kind: 'link', text: label!, url: url! });
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) });
  return found;
}

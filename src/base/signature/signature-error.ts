import type { Node, OpenFile, TypeSymbol } from './compiler.ts';
import type { Refusal } from './signature.ts';

/** Where in a source file something is, and what it is called from the tool on. */
export interface Spot {
  readonly node: Node | undefined;
  readonly path: string;
}

/** Gathers what is refused of one tool, so that all of it is told at once. */
export class Refusals {
  readonly all: Refusal[] = [];
  readonly #tool: string;
  readonly #open: OpenFile;

  constructor(tool: string, open: OpenFile) {
    this.#tool = tool;
    this.#open = open;
  }

  add(spot: Spot, reason: string): void {
    const place = placeOf(spot.node, this.#open);
    const known = this.all.some((each) => each.path === spot.path && each.reason === reason);
    if (!known) this.all.push({ tool: this.#tool, ...place, path: spot.path, reason });
  }
}

/** File, line and column of a node, counted from 1; the top of the file where there is none. */
export function placeOf(
  node: Node | undefined,
  open: OpenFile,
): { readonly file: string; readonly line: number; readonly column: number } {
  if (node === undefined) return { file: open.file.fileName, line: 1, column: 1 };
  const file = fileOf(node) ?? open.file;
  const start = startOf(node, file.text);
  const before = file.text.slice(0, start);
  const line = before.split('\n').length;
  return { file: file.fileName, line, column: start - before.lastIndexOf('\n') };
}

/** The node that a symbol was declared with. */
export function declarationOf(symbol: TypeSymbol | undefined, open: OpenFile): Node | undefined {
  touch(symbol, open);
  return (symbol?.valueDeclaration ?? symbol?.declarations[0])?.resolve(open.project);
}

/** Notes the files that a symbol comes from: when they change, what was read of them may have changed. */
export function touch(symbol: TypeSymbol | undefined, open: OpenFile): void {
  for (const { path } of symbol?.declarations ?? []) open.touched.add(path);
}

export function fileOf(node: Node): OpenFile['file'] | undefined {
  let at: Node | undefined = node;
  while (at?.parent !== undefined) at = at.parent;
  return at !== undefined && 'fileName' in at ? (at as OpenFile['file']) : undefined;
}

/** Where a node begins, behind the spaces and comments that belong to it. */
export function startOf(node: Node, text: string): number {
  const trivia = /(?:\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/y;
  trivia.lastIndex = node.pos;
  trivia.exec(text);
  return Math.max(node.pos, trivia.lastIndex);
}

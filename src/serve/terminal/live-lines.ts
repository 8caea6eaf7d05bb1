import { writeControl } from './guard-terminal.ts';
import { fit, harmless } from './terminal-text.ts';

/** Lines at the bottom of a terminal that are written again as they change; elsewhere nothing is shown. */
export class LiveLines {
  readonly #stream: NodeJS.WriteStream;
  #shown = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(lines: readonly string[]): void {
    if (!this.#stream.isTTY) return;
    const { columns, rows } = this.#stream;
    // What has left the window at its top cannot be written again.
    const kept = lines.slice(0, Math.max(1, rows - 1));
    this.clear();
    for (const line of kept) writeControl(this.#stream, `${fitTable(harmless(line), columns - 1)}\n`);
    this.#shown = kept.length;
  }

  clear(): void {
    if (this.#shown > 0) writeControl(this.#stream, `\u001b[${this.#shown}A\u001b[J`);
    this.#shown = 0;
  }
}

/** A line of a table keeps its spaces where it fits. */
function fitTable(line: string, columns: number): string {
  return line.length <= columns ? line : fit(line, columns);
}

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { itemOf, itemRow, itemsHead, QuestionUses } from '../../../eval/study/question/question-report.ts';
import type { StudyLog } from '../../../eval/study/study-log.ts';
import type { Cell } from '../../../eval/suite/cells.ts';
import { writeFileSync } from 'node:fs';

/**
 * Writes what came of a study, in the order of its cells: the same bytes however often it was stopped, for neither
 * times nor the names of episodes are in it. Questions also have a row each in `items.csv` and `items.jsonl`.
 */
export function writeResults(folder: string, cells: readonly Cell[], log: StudyLog): readonly string[] {
  const files = [new LineFile(join(folder, 'results.jsonl'))];
  const hasQuestions = cells.some(({ task }) => task.kind === 'question');
  const uses = new QuestionUses();
  const [table, lines] = hasQuestions
    ? [new LineFile(join(folder, 'items.csv')), new LineFile(join(folder, 'items.jsonl'))]
    : [];
  table?.write(itemsHead);
  for (const cell of cells) {
    if (!log.has(cell.key)) continue;
    const result = log.last(cell.key)!;
    const { player, template, task, trial, reward, success, turns } = result;
    files[0]!.write(JSON.stringify({ player, template, task, trial, reward, success, turns }));
    const { task: asked } = cell;
    if (asked.kind !== 'question') continue;
    const item = itemOf({ ...cell, task: asked }, result);
    if (item === undefined) continue;
    uses.add(result);
    table?.write(itemRow(item));
    lines?.write(JSON.stringify(item));
  }
  const written = [files[0], table, lines].flatMap((file) => file?.close() ?? []);
  if (!hasQuestions) return written;
  const summary = join(folder, 'tools.json');
  writeFileSync(summary, `${JSON.stringify(uses.list(), null, 2)}\n`);
  return [...written, summary];
}

class LineFile {
  readonly #path: string;
  readonly #file: number;
  #waiting: string[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w');
  }

  write(line: string): void {
    this.#waiting.push(`${line}\n`);
    if (this.#waiting.length >= 1000) this.#flush();
  }

  close(): string {
    this.#flush();
    closeSync(this.#file);
    return this.#path;
  }

  #flush(): void {
    writeSync(this.#file, this.#waiting.join(''));
    this.#waiting = [];
  }
}

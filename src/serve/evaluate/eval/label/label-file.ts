import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../../base/host/errors.ts';
import { isJsonObject } from '../../../../base/json/value.ts';
import type { LabelValue } from './judged-items.ts';

/** What a person said of something that a judge decides. */
export interface Label {
  readonly key: string;
  readonly criterion: string;
  readonly label: LabelValue;
  readonly by: string;
}

/** The labels that people gave in a study: a line each, in `labels.jsonl`. */
export class LabelFile {
  readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, 'labels.jsonl');
  }

  /** The last that everybody said of each thing. */
  read(): readonly Label[] {
    if (!existsSync(this.path)) return [];
    const labels = new Map<string, Label>();
    const lines = readFileSync(this.path, 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const label = readLabel(line, `${this.path}:${index + 1}`);
      labels.set(JSON.stringify([label.key, label.criterion, label.by]), label);
    }
    return [...labels.values()];
  }

  add(label: Label): void {
    appendFileSync(this.path, `${JSON.stringify(label)}\n`);
  }
}

function readLabel(line: string, at: string): Label {
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) {
      const { key, criterion, label, by = 'somebody' } = value;
      const isLabel = typeof label === 'boolean' || typeof label === 'string';
      if (typeof key === 'string' && typeof criterion === 'string' && typeof by === 'string' && isLabel)
        return { key, criterion, label, by };
    }
  } catch {
    // Said below, as of a line that is JSON and no label.
  }
  throw new WhetstoneError(
    'usage',
    `${at} is not a label: it should be {"key", "criterion", "label": true, false or a level, "by"}.`,
  );
}

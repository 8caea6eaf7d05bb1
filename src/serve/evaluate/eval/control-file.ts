import { existsSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { StudyControl } from '../../../eval/study/run-study.ts';
import { readBudget } from '../../../eval/suite/read-suite.ts';
import type { Budget } from '../../../eval/suite/suite.ts';

type Standing = Omit<StudyControl, 'requeue'>;

const untouched: Standing = { paused: false, limits: {} };

/** What a person has said to the study in a folder: `control.json` holds until it is changed, `requeue.txt` is taken once. */
export class ControlFile {
  readonly #standing: string;
  readonly #requeue: string;
  #read: Standing = untouched;
  #mark = '';

  constructor(folder: string) {
    this.#standing = join(folder, 'control.json');
    this.#requeue = join(folder, 'requeue.txt');
  }

  /** What holds now. Taking the cells to requeue is telling them once. */
  take(): StudyControl {
    return { ...this.standing, requeue: this.#takeRequeue() };
  }

  get standing(): Standing {
    const stat = statSync(this.#standing, { throwIfNoEntry: false });
    const mark = stat === undefined ? '' : `${stat.mtimeMs} ${stat.ino} ${stat.size}`;
    if (mark === this.#mark) return this.#read;
    this.#mark = mark;
    this.#read = stat === undefined ? untouched : readStanding(this.#standing);
    return this.#read;
  }

  change({
    paused,
    limits,
  }: {
    readonly paused?: boolean;
    readonly limits?: Readonly<Record<string, Budget>>;
  }): Standing {
    const before = this.standing;
    const after = { paused: paused ?? before.paused, limits: { ...before.limits, ...limits } };
    // Whole or not at all: a study may be reading it.
    writeFileSync(`${this.#standing}.new`, `${JSON.stringify(after)}\n`);
    renameSync(`${this.#standing}.new`, this.#standing);
    return after;
  }

  requeue(keys: readonly string[]): void {
    writeFileSync(this.#requeue, keys.map((key) => `${key}\n`).join(''), { flag: 'a' });
  }

  #takeRequeue(): readonly string[] {
    const taken = `${this.#requeue}.taken`;
    // One that was taken and not yet carried out when the study was killed is taken again.
    if (!existsSync(taken)) {
      if (!existsSync(this.#requeue)) return [];
      renameSync(this.#requeue, taken);
    }
    const keys = readFileSync(taken, 'utf8')
      .split('\n')
      .filter((key) => key !== '');
    unlinkSync(taken);
    return keys;
  }
}

function readStanding(file: string): Standing {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isJsonObject(value)) throw new Error('It is not an object.');
    const limits = isJsonObject(value['limits']) ? value['limits'] : {};
    return {
      paused: value['paused'] === true,
      limits: Object.fromEntries(
        Object.entries(limits).map(([player, budget]) => [player, readBudget(budget, `${file}: ${player}`)]),
      ),
    };
  } catch (cause) {
    throw new WhetstoneError('study_mismatch', `${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

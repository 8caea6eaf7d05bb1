import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { hashJson } from '../../../base/json/sha256.ts';
import type { ScenarioReport } from '../../../grade/check/report.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';

/** One scenario as it was checked. */
export interface CheckedScenario {
  /** Of all its files: what was changed since is another scenario. */
  readonly of: string;
  readonly seconds: number;
  readonly report: ScenarioReport;
}

/** What was checked before, as lines of JSON in a file: a check of many that was stopped goes on where it was. */
export class CheckResults {
  readonly #file: string;
  readonly #known = new Map<string, CheckedScenario>();

  constructor(file: string) {
    this.#file = file;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // A check that was stopped while writing left half a line.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const [index, line] of whole.split('\n').entries()) {
      if (line.trim() === '') continue;
      const checked = readLine(line);
      if (!checked)
        throw new WhetstoneError(
          'usage',
          `Line ${index + 1} of ${file} is not the result of a check. Name another file with --results.`,
        );
      this.#known.set(checked.report.scenario, checked);
    }
    if (whole !== text) writeFileSync(file, whole);
  }

  /** The result of a scenario that has not changed since, and that was checked in as many variants, without a fault. */
  find(scenario: Scenario, { variants, strict }: { readonly variants: number; readonly strict: boolean }) {
    const known = this.#known.get(`${scenario.collection}/${scenario.slug}`);
    if (!known || known.of !== hashOf(scenario)) return undefined;
    const { variantsChecked, faults, warnings } = known.report;
    const isSound = faults.length === 0 && (!strict || warnings.length === 0);
    return isSound && variantsChecked >= Math.min(variants, scenario.variants) ? known : undefined;
  }

  add(checked: CheckedScenario): void {
    appendFileSync(this.#file, `${JSON.stringify(checked)}\n`);
  }
}

function readLine(line: string): CheckedScenario | undefined {
  try {
    const checked = JSON.parse(line) as Partial<CheckedScenario> | null;
    return typeof checked?.report?.scenario === 'string' ? (checked as CheckedScenario) : undefined;
  } catch {
    return undefined;
  }
}

/** By the files in its folder, whatever they are. */
export function hashOf({ folder }: Scenario): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  return hashJson(files.map((file) => [file.slice(folder.length), readFileSync(file).toString('base64')]));
}

/** A row for each scenario, as a table in Markdown. */
export function tableOf(all: readonly CheckedScenario[]): string {
  return [
    '| scenario | variants | gold | best flawed | best cheat | answers | constant | one fact | interview | by one fact | understood | faults | warnings | seconds |',
    `| --- |${' --: |'.repeat(13)}`,
    ...all.map((one) => `| ${rowOf(one).join(' | ')} |`),
  ].join('\n');
}

function rowOf({ report, seconds }: CheckedScenario): readonly (string | number)[] {
  const { answers, person, paths, exploits } = report;
  const [gold, ...flawed] = paths;
  const highest = (spans: typeof paths) => Math.max(0, ...spans.map((span) => span.highest)).toFixed(2);
  const share = (value: number | undefined) => value?.toFixed(2) ?? '';
  return [
    report.scenario,
    `${report.variantsChecked} of ${report.variants}`,
    share(gold?.lowest),
    highest(flawed),
    highest(exploits),
    answers === undefined ? '' : `${answers.distinct}+`,
    share(answers?.constant),
    share(answers?.accuracy),
    share(answers?.skills.interview),
    share(answers?.skills.one_fact),
    person === undefined ? '' : share(person.answered / Math.max(1, person.questions)),
    report.faults.length,
    report.warnings.length,
    Math.round(seconds),
  ];
}

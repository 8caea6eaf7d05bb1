import { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { completeVerdicts } from '../../grade/episode/judge/complete-verdicts.ts';
import { buildTask } from '../../grade/scenario/build-task.ts';
import type { Grade, RewardConfig } from '../../grade/score/grade.ts';
import { dimensionNames } from '../../grade/score/grade.ts';
import { gradeTranscript } from '../../grade/score/grade-transcript.ts';
import { readTranscript, taskNamedBy, verdictsIn } from '../../grade/score/read-transcript.ts';
import { judgeAgainText, judgeOf, withJudge, type JudgeFlags } from '../terminal/option/judge-option.ts';
import { whole } from '../terminal/option/option.ts';
import { gradeJson, gradeText } from '../terminal/print-grade.ts';
import { openScenario, readJson } from '../terminal/scenario-folder.ts';

export interface GradeFlags extends JudgeFlags {
  readonly scenario: string;
  readonly scenarios?: string;
  readonly variant?: number;
  readonly seed?: number;
  readonly rewardConfig?: string;
  readonly judgeAgain?: boolean;
}

export function command(): Command {
  return withGradeFlags(
    new Command('grade')
      .description('Grade a transcript: its reward from 0 to 1, and every reason.')
      .argument('[file]', 'the transcript as JSON; standard input when absent or "-"'),
  ).action(async (file: string | undefined, flags: GradeFlags) => {
    const grade = await gradeFile(file, flags);
    console.error(gradeText(grade));
    console.log(JSON.stringify(gradeJson(grade)));
  });
}

export function withGradeFlags(command: Command): Command {
  const grading = command
    .requiredOption('--scenario <collection/name>', 'what was played')
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option(
      '--variant <number>',
      'which variant was played (default: what the transcript says, else 0)',
      whole,
    )
    .option('--seed <number>', "the person's seed (default: what the transcript says, else 0)", whole)
    .option('--reward-config <json>', 'weights of the dimensions, as the HTTP API takes them')
    .option('--judge-again', judgeAgainText);
  return withJudge(grading);
}

/** Plays a written transcript again and grades it, by the verdicts that are in it or those of a judge. */
export async function gradeFile(file: string | undefined, flags: GradeFlags): Promise<Grade> {
  const judge = await judgeOf(flags);
  const config = flags.rewardConfig === undefined ? {} : { rewardConfig: readConfig(flags.rewardConfig) };
  const written = readJson(file);
  const named = taskNamedBy(written);
  const task = buildTask(
    openScenario(flags.scenario, flags.scenarios),
    flags.variant ?? named.variant ?? 0,
    flags.seed ?? named.seed ?? 0,
  );
  const transcript = readTranscript(written, task);
  const stored = verdictsIn(written);
  const again = flags.judgeAgain === true;
  const { verdicts, kept } = await completeVerdicts(task, transcript, { judge, again, stored });
  if (kept.length > 0) console.error(`The judge failed on ${kept.join(', ')}: the earlier verdict is kept.`);
  return gradeTranscript(task, transcript, { ...config, verdicts });
}

function readConfig(text: string): RewardConfig {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new WhetstoneError('usage', `--reward-config is not JSON: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  const weights = isJsonObject(value) ? value['quality_weights'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(weights))
    throw new WhetstoneError(
      'usage',
      '--reward-config should be {"quality_weights": {"discovery": 1, …}, "skip_safety_gate": false}.',
    );
  for (const [name, weight] of Object.entries(weights)) {
    if (!dimensionNames.some((known) => known === name))
      throw new WhetstoneError(
        'usage',
        `--reward-config weighs "${name}", which is not a dimension. Known: ${dimensionNames.join(', ')}.`,
      );
    if (typeof weight !== 'number' || !(weight >= 0 && weight <= 1e6))
      throw new WhetstoneError(
        'usage',
        `--reward-config gives "${name}" the weight ${JSON.stringify(weight)}, but it must be a number, 0 or more.`,
      );
  }
  const skip = value['skip_safety_gate'] ?? false;
  if (typeof skip !== 'boolean')
    throw new WhetstoneError(
      'usage',
      `--reward-config has "skip_safety_gate": ${JSON.stringify(skip)}, but it must be true or false.`,
    );
  // Each name and each value was looked at above.
  return { qualityWeights: weights as RewardConfig['qualityWeights'], skipSafetyGate: skip };
}

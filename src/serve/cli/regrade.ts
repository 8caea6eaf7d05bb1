import { Command } from 'commander';

import { loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { regrade } from '../../grade/episode/regrade.ts';
import { TaskBook } from '../../grade/episode/task-book.ts';
import { scoringVersion } from '../../grade/score/grade-transcript.ts';
import { scoringOf } from '../../grade/score/scoring.ts';
import { openKept, withData } from '../terminal/option/data-option.ts';
import { judgeAgainText, judgeOf, withJudge, type JudgeFlags } from '../terminal/option/judge-option.ts';
import { scenarioFolder } from '../terminal/scenario-folder.ts';

interface Flags extends JudgeFlags {
  readonly data: string;
  readonly owner: string;
  readonly scoring: string;
  readonly scenarios?: string;
  readonly judgeAgain?: boolean;
  readonly write?: boolean;
}

export function command(): Command {
  const regrading = withData(new Command('regrade'))
    .description(
      'Grade stored episodes again: one JSON line each, with the old grade and the new one. Writes nothing without --write.',
    )
    .option('--owner <id>', 'whose episodes: the id of a key, or local', 'local')
    .option('--scoring <version>', 'which version of the formula to use', scoringVersion)
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--judge-again', judgeAgainText)
    .option('--write', 'replace the old grades with the new ones');
  return withJudge(regrading).action(run);
}

async function run(flags: Flags): Promise<void> {
  const tasks = new TaskBook(loadCatalog(scenarioFolder(flags.scenarios)));
  await using store = await openKept(flags.data);
  let count = 0;
  let changed = 0;
  let faults = 0;
  let kept = 0;
  const judge = await judgeOf(flags);
  const options = {
    owner: flags.owner,
    scoring: scoringOf(flags.scoring),
    ...(judge && { judge }),
    judgeAgain: flags.judgeAgain === true,
    write: flags.write === true,
  };
  for await (const one of regrade(store, tasks, options)) {
    count++;
    if (one.fault !== undefined) faults++;
    kept += one.kept?.length ?? 0;
    if (one.change !== undefined && one.change !== 0) changed++;
    console.log(
      JSON.stringify({
        episode_id: one.episode,
        collection_slug: one.collection,
        scenario_slug: one.scenario,
        variant: one.variant,
        before: one.before && {
          reward: one.before.reward,
          success: one.before.success,
          scoring_version: one.before.scoringVersion,
          not_judged: one.before.notJudged,
        },
        after: one.after && {
          reward: one.after.reward,
          success: one.after.success,
          scoring_version: one.after.scoringVersion,
          not_judged: one.after.notJudged,
        },
        change: one.change,
        kept_verdicts: one.kept,
        version_changed: one.versionChanged,
        fault: one.fault,
      }),
    );
  }
  console.error(`${count} episodes, ${changed} with a different reward, ${faults} that could not be graded.`);
  if (kept > 0) console.error(`${kept} verdicts are kept as they were stored: the judge failed on them.`);
}

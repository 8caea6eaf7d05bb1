import type { Command } from 'commander';

import { modelJudge, type Judge } from '../../../grade/episode/judge/judge.ts';
import { atLeastOne, positive } from './option.ts';

export interface JudgeFlags {
  readonly judgeModel?: string;
  readonly judgeBaseUrl?: string;
  readonly judgeSeconds: number;
  readonly judgeAtOnce: number;
}

export const judgeAgainText = 'ask the judge about everything again, and not only about what has no verdict';

/** The options by which a command is told who judges what only a model can judge. */
export function withJudge(command: Command): Command {
  return command
    .option(
      '--judge-model <name>',
      'a model that judges the criteria that ask for a judge: provider/model, or "scenario" for the one that each names (default: they are not judged)',
    )
    .option('--judge-base-url <url>', 'where that model is served, if not at its provider')
    .option('--judge-seconds <number>', 'how long the verdicts of one episode may take', positive, 30)
    .option('--judge-at-once <count>', 'how many votes may be under way at once', atLeastOne, 16);
}

/** Models are loaded when one is named: a server that starts without one need not wait for them. */
export async function judgeOf(flags: Partial<JudgeFlags>): Promise<Judge | undefined> {
  const { judgeModel, judgeBaseUrl, judgeSeconds = 30, judgeAtOnce = 16 } = flags;
  if (judgeModel === undefined) return undefined;
  const options = { timeoutMs: judgeSeconds * 1000, atOnce: judgeAtOnce };
  const { modelChoice } = await import('./model-option.ts');
  return modelJudge(modelChoice(judgeModel, judgeBaseUrl), options);
}

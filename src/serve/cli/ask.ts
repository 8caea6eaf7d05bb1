import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import { run } from '../../run/loop/run.ts';
import { approverAt, thisTerminal } from '../terminal/ask-person.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { leaveWhenPrinted } from '../terminal/leave.ts';
import { loadTools } from '../terminal/load-tools.ts';
import { modelOf, withModel } from '../terminal/option/model-option.ts';
import type { ModelFlags } from '../terminal/option/model-option.ts';
import { whole } from '../terminal/option/option.ts';
import { RunPrinter } from '../terminal/print-run.ts';

export interface RunFlags extends ModelFlags {
  readonly tools?: string;
  readonly system?: string;
  readonly steps?: number;
  readonly json?: boolean;
  readonly details?: boolean;
  readonly yes?: boolean;
}

export function command(): Command {
  const ask = new Command('ask')
    .description('Ask a model once, run the tools it calls, and print its answer.')
    .argument('[prompt]', 'what to ask; standard input when absent or "-"');
  return withRun(withModel(ask)).action(answer);
}

/** The options of a run, for every command that has one. */
export function withRun(command: Command): Command {
  return command
    .option('--tools <place>', 'a module that exports tools, or a folder with spec.json')
    .option('--system <text>', 'what the model is told before everything else')
    .option('--steps <count>', 'how many replies the model may give (default: 5)', whole)
    .option('--details', 'show what notes hide: arguments and results')
    .option('--json', 'print every event as a line of JSON')
    .option('--yes', 'approve every call that asks for approval');
}

async function answer(prompt: string | undefined, flags: RunFlags): Promise<void> {
  const question = prompt === undefined || prompt === '-' ? readFileSync(0, 'utf8').trim() : prompt;
  if (question === '') throw new WhetstoneError('usage', 'There is nothing to ask: the prompt is empty.');
  const printer = new RunPrinter({
    json: flags.json === true,
    details: flags.details === true,
    out: process.stdout,
    err: process.stderr,
  });
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  try {
    const outcome = await run({
      model: modelOf(flags),
      tools: flags.tools === undefined ? [] : await loadTools(flags.tools),
      prompt: question,
      signal: stop.signal,
      approve: approverAt(thisTerminal(), flags.yes === true),
      on: (event) => printer.show(event),
      ...(flags.system !== undefined && { system: flags.system }),
      ...(flags.steps !== undefined && { limits: { steps: flags.steps } }),
    });
    if (outcome.stop === 'returned' && flags.json !== true) process.stdout.write(outcome.text);
    printer.end();
    if (outcome.stop === 'done' || outcome.stop === 'returned') return;
    console.error(`whet: the run ended early: ${outcome.stop}.`);
    process.exitCode = exitCode.no;
  } finally {
    process.off('SIGINT', onInterrupt);
    leaveWhenPrinted();
  }
}

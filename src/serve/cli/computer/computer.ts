import { Command, Option } from 'commander';

import { computerApis, ComputerBlocks } from '../../../wire/computer-block.ts';
import { readRecord } from '../../../run/computer/record/record.ts';
import { Recorder } from '../../../run/computer/record/recorder.ts';
import { Replay } from '../../../run/computer/record/replay.ts';
import { type CallPerformer, ComputerSession } from '../../../run/computer/session.ts';
import { leaveWhenPrinted } from '../../terminal/leave.ts';
import { untilStopped } from '../../terminal/until-stopped.ts';
import { answerCalls } from './lines.ts';
import {
  checkInput,
  checkOptions,
  type ComputerOptions,
  displaySize,
  folder,
  scale,
  seconds,
  several,
  size,
} from './options.ts';
import { startComputer } from './start-computer.ts';

const callHelp = 'the block of the provider, or a list of them; with --jsonl they come on standard input';
const apiHelp = `whose blocks they are: ${computerApis.join(', ')}`;
const linesHelp = 'calls come on standard input, one per line, and each is answered with a line';

export function command(): Command {
  const computer = new Command('computer').description('Do what a model of any provider asks of a computer.');
  withOptions(computer.command('perform'))
    .description(
      'Perform calls on a browser page or an X display, and print what the provider is to be told.',
    )
    .action(perform);
  withOptions(computer.command('record'))
    .description('Perform calls as `perform` does, and keep actions, results and pictures in a folder.')
    .requiredOption('--out <folder>', 'where the record is kept', folder)
    .action(record);
  computer
    .command('replay')
    .description(
      'Answer calls from a record, in the format of any API, and say where a call departs from it.',
    )
    .argument('<folder>', 'the folder that was given as --out')
    .argument('[call]', callHelp)
    .requiredOption('--api <api>', apiHelp)
    .option('--jsonl', linesHelp)
    .action(replay);
  return computer;
}

function withOptions(command: Command): Command {
  return command
    .argument(
      '[call]',
      'the block of the provider, or a list of them; with --jsonl they come on standard input',
    )
    .requiredOption('--api <api>', apiHelp)
    .option('--tool <version>', 'the tool as the request would declare it, such as computer_toolset_20260801')
    .option('--url <address>', 'a browser with one page, at this address')
    .option(
      '--cdp <address>',
      'the DevTools address of a browser that is already running; without --url its current page is used',
    )
    .option(
      '--desktop [display]',
      'a display: :N or vnc://HOST:PORT as it is, or a new one that ends with the session',
    )
    .option('--run <program>', 'with --desktop: a program and its arguments, started in the display')
    .option(
      '--screen <WxH>',
      'the size of the viewport or the new display (default: that of --display, or 1280x800)',
      size,
    )
    .option(
      '--display <WxH>',
      'the size of the pictures that the model is shown, and in whose pixels it counts',
      size,
    )
    .option('--scale <number>', 'browser: device pixels for each CSS pixel, from 0.5 to 4', scale)
    .option(
      '--allow <host>',
      'browser: a host, or HOST:PORT, that may be opened; then no others may. Repeatable',
      several,
    )
    .addOption(
      new Option(
        '--dialogs <answer>',
        'browser: how confirm and prompt are answered (default: dismiss)',
      ).choices(['accept', 'dismiss']),
    )
    .option('--acknowledge', 'the person agrees to every safety check that a call carries')
    .option('--javascript', 'browser: scripts of the model may run in the page')
    .option('--downloads <folder>', 'browser: where downloads are kept', folder)
    .option(
      '--timeout <seconds>',
      'how long one call may take, not counting its own waiting and holding (default: 15)',
      seconds,
    )
    .option(
      '--mask <region>',
      'x,y,w,h or a CSS selector: painted over in every picture. Repeatable',
      several,
    )
    .option('--jsonl', linesHelp);
}

function perform(call: string | undefined, given: ComputerOptions): Promise<void> {
  return answer(call, given, async (session) => session);
}

function record(call: string | undefined, given: ComputerOptions & { readonly out: string }): Promise<void> {
  return answer(call, given, (session) => Recorder.open(session, given.out));
}

async function answer(
  call: string | undefined,
  given: ComputerOptions,
  performerOf: (session: ComputerSession) => Promise<CallPerformer>,
): Promise<void> {
  // The display is optional, so a call that follows `--desktop` is taken for one.
  const isCall = typeof given.desktop === 'string' && /^\s*[[{]/.test(given.desktop) && call === undefined;
  const options: ComputerOptions = isCall ? { ...given, desktop: true } : given;
  const asked = isCall ? String(given.desktop) : call;
  checkOptions(options, asked);
  const blocks = new ComputerBlocks(options.api, options.tool);
  using stop = untilStopped();
  let code = 0;
  try {
    await using computer = await startComputer(options, stop.signal);
    const session = new ComputerSession(computer, {
      ...(options.timeout !== undefined && { timeout: options.timeout }),
      javascript: options.javascript === true,
    });
    code = await answerCalls(asked, options.jsonl === true, {
      blocks,
      performer: await performerOf(session),
      display: displaySize(options, computer.screen, blocks),
      acknowledge: options.acknowledge === true,
      signal: stop.signal,
    });
  } catch (error) {
    // A start that was broken off has nothing to say.
    if (!stop.signal.aborted) throw error;
  }
  process.exitCode = stop.code() || code;
  leaveWhenPrinted();
}

async function replay(
  folder: string,
  call: string | undefined,
  { api, jsonl = false }: { readonly api: string; readonly jsonl?: boolean },
): Promise<void> {
  checkInput(call, jsonl);
  const blocks = new ComputerBlocks(api);
  const performer = new Replay(await readRecord(folder));
  using stop = untilStopped();
  const answered = await answerCalls(call, jsonl, {
    blocks,
    performer,
    display: () => performer.display,
    // Nobody is asked: nothing is done.
    acknowledge: true,
    signal: stop.signal,
  });
  process.exitCode = stop.code() || answered;
  leaveWhenPrinted();
}

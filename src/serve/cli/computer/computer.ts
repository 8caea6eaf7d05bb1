import { Command, Option } from 'commander';

import { computerApis, ComputerBlocks } from '../../../wire/computer-block.ts';
import { ComputerSession } from '../../../run/computer/session.ts';
import { leaveWhenPrinted } from '../terminal/leave.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { answerCalls } from './lines.ts';
import { checkOptions, type ComputerOptions, displaySize, scale, seconds, several, size } from './options.ts';
import { startComputer } from './start-computer.ts';

export function command(): Command {
  const computer = new Command('computer').description('Do what a model of any provider asks of a computer.');
  withOptions(computer.command('perform'))
    .description(
      'Perform calls on a browser page or an X display, and print what the provider is to be told.',
    )
    .action(perform);
  return computer;
}

function withOptions(command: Command): Command {
  return command
    .argument(
      '[call]',
      'the block of the provider, or a list of them; with --jsonl they come on standard input',
    )
    .requiredOption('--api <api>', `whose blocks they are: ${computerApis.join(', ')}`)
    .option('--tool <version>', 'the tool as the request would declare it, such as computer_toolset_20260801')
    .option('--url <address>', 'a browser with one page, at this address')
    .option('--desktop [display]', 'an X display: :N as it is, or a new one that ends with the session')
    .option('--run <program>', 'with --desktop: a program and its arguments, started in the display')
    .option(
      '--screen <WxH>',
      'how large the viewport or the new display is (default: as --display, or 1280x800)',
      size,
    )
    .option(
      '--display <WxH>',
      'how large the pictures are that the model is shown, in whose pixels it counts',
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
        'browser: what confirm and prompt are answered (default: dismiss)',
      ).choices(['accept', 'dismiss']),
    )
    .option('--acknowledge', 'the person agrees to every safety check that a call carries')
    .option('--javascript', 'browser: scripts of the model may run in the page')
    .option('--downloads <folder>', 'browser: where downloads are kept')
    .option(
      '--timeout <seconds>',
      'what one call may take beyond its own waiting and holding (default: 15)',
      seconds,
    )
    .option(
      '--mask <region>',
      'x,y,w,h or a CSS selector: painted over in every picture. Repeatable',
      several,
    )
    .option('--jsonl', 'calls come on standard input, one a line, and each is answered with a line');
}

async function perform(call: string | undefined, given: ComputerOptions): Promise<void> {
  // The display is optional, so a call that follows `--desktop` is taken for one.
  const isCall = typeof given.desktop === 'string' && /^\s*[[{]/.test(given.desktop) && call === undefined;
  const options: ComputerOptions = isCall ? { ...given, desktop: true } : given;
  const asked = isCall ? String(given.desktop) : call;
  checkOptions(options, asked);
  const blocks = new ComputerBlocks(options.api, options.tool);
  using stop = untilStopped();
  let code = 0;
  {
    await using computer = await startComputer(options);
    const session = new ComputerSession(computer, {
      ...(options.timeout !== undefined && { timeout: options.timeout }),
      javascript: options.javascript === true,
    });
    const answered = await answerCalls(asked, options.jsonl === true, {
      blocks,
      performer: session,
      display: displaySize(options, computer.screen, blocks),
      acknowledge: options.acknowledge === true,
      signal: stop.signal,
    });
    code = stop.code() || answered;
  }
  process.exitCode = code;
  leaveWhenPrinted();
}

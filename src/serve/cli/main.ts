import { inspect } from 'node:util';

import { Command, CommanderError } from 'commander';

import { isWhetstoneError, type WhetstoneError } from '../../base/host/errors.ts';
import { version } from '../../base/host/version.ts';
import { commands } from './commands.ts';
import { withCommandName } from '../terminal/command-name.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { guardTerminal } from '../terminal/guard-terminal.ts';

/** Runs `whet` and answers with its exit code; never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  // `whet help run` says what `whet run --help` says.
  const [asked, ...rest] = argv[0] === 'help' && argv.length > 1 ? argv.slice(1) : argv;
  const entry = commands.find(({ name }) => name === asked);
  if (entry && argv[0] === 'help') rest.push('--help');
  process.stdout.on('error', endQuietly);
  process.stderr.on('error', goOn);
  // What is piped is data, and stays as it is; what is said on standard error is always for a person.
  if (process.stdout.isTTY) guardTerminal(process.stdout);
  guardTerminal(process.stderr);
  try {
    const program = baseProgram();
    if (entry) program.addCommand((await entry.load()).command());
    else
      for (const known of commands)
        program.command(known.name).summary(known.summary).description(known.summary);
    for (const child of program.commands) sayHelpAfterError(child, 'whet');
    throwInsteadOfExit(program);
    await program.parseAsync(asked === undefined ? [] : [asked, ...rest], { from: 'user' });
    return Number(process.exitCode ?? exitCode.ok);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    if (isWhetstoneError(error)) {
      console.error(withCommandName(`whet: ${error.message} [${error.code}]`));
      return isBroken(error) ? exitCode.broken : exitCode.usage;
    }
    const unread = unreadable(error);
    if (unread !== undefined) {
      console.error(`whet: ${unread} [usage]`);
      return exitCode.usage;
    }
    console.error(`whet: something broke that should not have: ${inspect(error)}`);
    return exitCode.broken;
  }
}

/** Whether the world failed, and not the command line: what is asked again in the same words may be answered then. */
function isBroken({ code, cause, details }: WhetstoneError): boolean {
  if (code === 'model_failed') return true;
  if (code === 'server_refused') return Number(details['status']) >= 500;
  // Without a cause it is the address that is none, or not that of a server.
  return code === 'server_unreachable' && cause !== undefined;
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, but a file is needed',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'a file has that name',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'nothing can be written there',
};

/** What is wrong with a file that the command line named, where that is what broke. */
function unreadable(error: unknown): string | undefined {
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  const fault = fileFaults[code];
  if (fault === undefined || syscall === 'spawn') return undefined;
  const verb = syscall === 'mkdir' ? 'made' : 'opened';
  return `${path ?? 'What was named'} cannot be ${verb}: ${fault}.`;
}

/** A reader of our output may stop early (`| head`), which is no fault. Anything else that goes wrong is reported. */
function endQuietly(error: Error & { readonly code?: string }): void {
  if (error.code === 'EPIPE') process.exit(exitCode.ok);
  console.error(`whet: the output cannot be written: ${error.message}`);
  process.exit(exitCode.broken);
}

/** A server does not end with the reader of its log, or with the room for it. */
function goOn(): void {}

function baseProgram(): Command {
  return new Command('whet')
    .description('Define tools once, run them with any model, grade every call.')
    .version(version, '--version', 'print the version')
    .showSuggestionAfterError()
    .showHelpAfterError(withCommandName('Run `whet --help` to see all commands.'));
}

/** After a typing mistake, shows where to look: the help of the command that was meant. */
function sayHelpAfterError(command: Command, above: string): void {
  const name = `${above} ${command.name()}`;
  command.showHelpAfterError(withCommandName(`Run \`${name} --help\` to see how to use it.`));
  for (const child of command.commands) sayHelpAfterError(child, name);
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}

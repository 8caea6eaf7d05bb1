import { Command, CommanderError } from 'commander';

import { isWhetstoneError } from '../../base/host/errors.ts';
import { commands } from './commands.ts';
import { exitCode } from './exit-code.ts';

/** Runs `whet` and answers with its exit code; never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const entry = commands.find((known) => known.name === argv[0]);
  process.stdout.on('error', endQuietly);
  try {
    const program = baseProgram();
    if (entry) program.addCommand((await entry.load()).command());
    else
      for (const known of commands)
        program.command(known.name).summary(known.summary).description(known.summary);
    throwInsteadOfExit(program);
    await program.parseAsync([...argv], { from: 'user' });
    return Number(process.exitCode ?? exitCode.ok);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
    if (isWhetstoneError(error)) {
      console.error(`whet: ${error.message} [${error.code}]`);
      return exitCode.usage;
    }
    console.error('whet: something broke that should not have:', error);
    return exitCode.broken;
  }
}

/** Whoever reads our output may stop early (`| head`); that is no fault. */
function endQuietly(error: Error & { readonly code?: string }): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCode.ok);
}

function baseProgram(): Command {
  return new Command('whet')
    .description('Define tools once, run them with any model, grade every call.')
    .showSuggestionAfterError()
    .showHelpAfterError('Run `whet --help` to see what there is.');
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}

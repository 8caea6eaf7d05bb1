import type { Command } from 'commander';

import { commands } from '../src/serve/cli/commands.ts';

/** docs/reference/cli.md, from the help of each command. */
export async function cliPage(): Promise<string> {
  const parts = [
    '# The command line',
    'From a clone, `npm run -s whet -- <command>` and `npx --no-install whet <command>` run it. Answers go to standard output (JSON, one value a line), everything else to standard error. Exit codes: 0 done, and the answer is yes; 1 done, and the answer is no; 2 the command line or its input was wrong; 3 something broke. Written by `npm run docs` from the help of each command.',
  ];
  for (const { load } of commands) {
    const { command } = await load();
    parts.push(...sections(command(), 'whet', '##'));
  }
  return `${parts.join('\n\n')}\n`;
}

function sections(command: Command, above: string, mark: string): string[] {
  const name = `${above} ${command.name()}`;
  command.configureHelp({ helpWidth: 110 });
  // Alone it does not know what is above it.
  const help = command.helpInformation().replace(`Usage: ${command.name()}`, `Usage: ${name}`).trimEnd();
  const children = command.commands.flatMap((child) => {
    child.parent = null;
    return sections(child, name, `${mark}#`);
  });
  return [`${mark} ${name}`, `\`\`\`\n${help}\n\`\`\``, ...children];
}

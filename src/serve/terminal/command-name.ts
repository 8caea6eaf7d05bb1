import { readEnvironment } from '../../base/host/environment.ts';

/** The command as the user must type it: from a clone, from an installed package, or as it is on the path. */
export function commandName(): string {
  if (readEnvironment('npm_lifecycle_event') !== undefined && readEnvironment('npm_command') !== 'exec')
    return 'npm run -s whet --';
  return readEnvironment('npm_command') === 'exec' ? 'npx --no-install whet' : 'whet';
}

/** A text in which commands of ours are in backticks, with each as it must be typed. */
export function withCommandName(text: string): string {
  return text.replaceAll(/`whet(?= )/g, `\`${commandName()}`);
}

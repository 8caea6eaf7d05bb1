import { WhetstoneError } from './errors.ts';

/** The only door to environment variables. An empty value counts as not set. */
export function readEnvironment(name: string): string | undefined {
  return (typeof process === 'undefined' ? undefined : process.env[name]) || undefined;
}

/** The value, or an error that names the variable and the option that may be used instead. */
export function requireEnvironment(name: string, option: string): string {
  const value = readEnvironment(name);
  if (value !== undefined) return value;
  throw new WhetstoneError(
    'environment_missing',
    `The environment variable ${name} is not set. Set it, or pass ${option}.`,
    { details: { name, option } },
  );
}

/** What a child process may inherit: enough to find programs and to speak the user's language, and no keys. */
const harmless = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
];

/** The environment of a child process: the harmless variables, those that are named, and what is added. */
export function childEnvironment(
  named: readonly string[],
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...harmless, ...named]) {
    const value = readEnvironment(name);
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...added };
}

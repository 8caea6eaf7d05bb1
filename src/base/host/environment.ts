import { WhetstoneError } from './errors.ts';

/** The only door to environment variables. An empty value counts as not set. */
export function readEnvironment(name: string): string | undefined {
  return (typeof process === 'undefined' ? undefined : process.env[name]) || undefined;
}

/** The value, or an error that names the variable and the option that may stand in its place. */
export function requireEnvironment(name: string, option: string): string {
  const value = readEnvironment(name);
  if (value !== undefined) return value;
  throw new WhetstoneError(
    'environment_missing',
    `The environment variable ${name} is not set. Set it, or pass ${option}.`,
    { details: { name, option } },
  );
}

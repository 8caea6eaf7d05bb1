import { WhetstoneError } from '../../base/host/errors.ts';
import { childEnvironment } from '../../base/host/environment.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { AnyTool } from './contract.ts';
import { failCall } from './failure.ts';
import { runProgram } from './run-program.ts';
import { toolbox } from './toolbox.ts';
import type { Toolbox } from './toolbox.ts';

/** Variables of more than this many characters are refused by some systems; the arguments are on stdin anyway. */
const longestVariable = 100_000;

/**
 * A tool from a folder: `spec.json` and an executable called `run`, in any language. The arguments come as JSON on
 * stdin and in `WHET_ARGUMENTS`; what it prints is the result; an exit code other than 0 is a failure. An executable
 * called `available` decides by its exit code whether the tool is offered.
 *
 * Fields of `spec.json`: `name`, `description`, `input` (or `parameters`: JSON Schema), and any of `timeout`,
 * `approval` ("always" or "never"), `concurrency`, `idempotent`, `outputBudget`, `returnDirect`, and `env`: names of
 * variables that it may see. Keys and everything else of the environment stay hidden from it.
 */
export async function commandTool(folder: string): Promise<AnyTool> {
  const { join, resolve } = await import('node:path');
  const home = resolve(folder);
  const spec = await readSpec(join(home, 'spec.json'));
  const program = join(home, 'run');
  if (!(await isExecutable(program))) {
    throw faulty(folder, `it has no executable file "run" (chmod +x ${program})`);
  }
  const available = join(home, 'available');
  const hasAvailable = await isExecutable(available);
  const env = Array.isArray(spec['env']) ? spec['env'].map(String) : [];
  const { name, description } = spec;
  const environment = (more: Readonly<Record<string, string>>): Record<string, string> =>
    childEnvironment(env, { WHET_TOOL: String(name), ...more });
  const settings = Object.fromEntries(
    settingNames.filter((key) => key in spec).map((key) => [key, spec[key]]),
  );
  return {
    ...settings,
    name: String(name),
    description: String(description),
    input: (spec['input'] ?? spec['parameters'] ?? { type: 'object', properties: {} }) as JsonObject,
    ...(hasAvailable && {
      isAvailable: async () => (await runProgram(available, { cwd: home, env: environment({}) })).code === 0,
    }),
    run: async (input: JsonObject, context) => {
      const text = JSON.stringify(input);
      const shown = text.length <= longestVariable ? { WHET_ARGUMENTS: text } : {};
      const ended = await runProgram(program, {
        cwd: home,
        env: environment(shown),
        stdin: text,
        signal: context.signal,
      });
      if (ended.code === 0) return ended.output === '' ? undefined : ended.output;
      const how =
        ended.code === null
          ? `was ended by ${ended.signal ?? 'a signal'}`
          : `ended with exit code ${ended.code}`;
      return failCall(`"${String(name)}" ${how}.\n${ended.errors}${ended.output}`.trimEnd());
    },
  } as AnyTool;
}

const settingNames = [
  'timeout',
  'approval',
  'concurrency',
  'idempotent',
  'outputBudget',
  'returnDirect',
  'strict',
];

/** All command tools of a folder: each of its folders that holds a `spec.json`. */
export async function commandTools(folder: string): Promise<Toolbox> {
  const { readdir } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw faulty(folder, 'it cannot be read', cause);
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  const holding = await Promise.all(
    folders.map(async (each) => ((await exists(join(each, 'spec.json'))) ? each : [])),
  );
  return toolbox(await Promise.all(holding.flat().toSorted().map(commandTool)));
}

async function readSpec(path: string): Promise<JsonObject> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw faulty(path, 'it is not there or cannot be read', cause);
  });
  let spec: unknown;
  try {
    spec = JSON.parse(text);
  } catch (cause) {
    throw faulty(path, `it is not JSON (${(cause as Error).message})`, cause);
  }
  if (!isJsonObject(spec)) throw faulty(path, 'it is not a JSON object');
  for (const field of ['name', 'description']) {
    if (typeof spec[field] !== 'string' || spec[field].trim() === '') {
      throw faulty(path, `"${field}" is missing or empty`);
    }
  }
  const known = new Set(['name', 'description', 'input', 'parameters', 'env', ...settingNames]);
  const strange = Object.keys(spec).find((key) => !known.has(key));
  if (strange !== undefined)
    throw faulty(path, `"${strange}" is not a field of it; known: ${[...known].join(', ')}`);
  return spec;
}

async function isExecutable(path: string): Promise<boolean> {
  const { access, constants } = await import('node:fs/promises');
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  const { access } = await import('node:fs/promises');
  return access(path).then(
    () => true,
    () => false,
  );
}

function faulty(place: string, what: string, cause?: unknown): WhetstoneError {
  return new WhetstoneError('command_tool_invalid', `${place} is not a command tool: ${what}.`, {
    details: { place },
    ...(cause !== undefined && { cause }),
  });
}

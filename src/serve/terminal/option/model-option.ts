import { readFileSync } from 'node:fs';

import type { Command } from 'commander';

import type { Fetch } from '../../../base/host/fetch.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Model } from '../../../base/message/model.ts';
import type { ModelChoice } from '../../../grade/episode/voice/ask-model.ts';
import { formatDiagnostic } from '../../../grade/scenario/diagnostic.ts';
import { readYaml } from '../../../grade/scenario/load/yaml.ts';
import { modelNamed } from '../../../wire/index.ts';
import { mockModel } from '../../../wire/mock/index.ts';
import type { MockScript } from '../../../wire/mock/index.ts';

export interface ModelFlags {
  readonly model: string;
  readonly baseUrl?: string;
  readonly script?: string;
}

/** The options by which a command is told which model to ask. */
export function withModel(command: Command): Command {
  return command
    .requiredOption('--model <name>', 'who answers: provider/model, or "mock" with --script')
    .option('--base-url <url>', 'another address of the provider, such as a local server')
    .option('--script <file>', 'what the model "mock" answers, as YAML or JSON');
}

/** The model that flags name; its requests go through `fetch`, where one is given. */
export function modelOf(flags: ModelFlags, fetch?: Fetch): Model {
  const { model, baseUrl } = flags;
  if (model !== 'mock')
    return modelNamed(model, { ...(baseUrl !== undefined && { baseUrl }), ...(fetch && { fetch }) });
  if (flags.script === undefined) {
    throw new WhetstoneError(
      'usage',
      'What does "mock" answer? Give --script FILE: a list of replies as YAML or JSON.',
    );
  }
  return mockModel(readScript(flags.script));
}

/** A model by its name; for "scenario", the one that each scenario names. A name that nobody serves is told at once. */
export function modelChoice(name: string, baseUrl: string | undefined): ModelChoice {
  const options = baseUrl === undefined ? {} : { baseUrl };
  if (name !== 'scenario') return modelNamed(name, options);
  const known = new Map<string, Model>();
  return (named) => {
    if (named === undefined) return undefined;
    const model = known.get(named) ?? modelNamed(named, options);
    known.set(named, model);
    return model;
  };
}

function readScript(file: string): MockScript {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WhetstoneError('usage', `The script ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const { value: script, faults } = readYaml(text, file);
  if (faults[0])
    throw new WhetstoneError('usage', `The script cannot be read: ${formatDiagnostic(faults[0])}`);
  if (Array.isArray(script)) return script as unknown as MockScript;
  throw new WhetstoneError('usage', `The script ${file} is not a list of replies.`);
}

import type { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import type { ModelChoice } from '../../grade/episode/ask-model.ts';
import { modelVoice } from '../../grade/episode/model-voice.ts';
import { readRecordings, recordedVoice } from '../../grade/episode/recorded-voice.ts';
import type { Voice } from '../../grade/episode/voice.ts';
import type { Model } from '../../base/message/model.ts';
import { modelNamed } from '../../wire/index.ts';
import { readJson } from './scenario-folder.ts';

export interface PersonFlags {
  readonly personModel?: string;
  readonly personBaseUrl?: string;
  readonly personRecording?: string;
}

/** The options by which a command is told who speaks for the persons. */
export function withPerson(command: Command): Command {
  return command
    .option(
      '--person-model <name>',
      'a model that speaks for persons: provider/model, or "scenario" for the one a scenario names (default: the rules)',
    )
    .option('--person-base-url <url>', 'where that model is served, if not at its provider')
    .option(
      '--person-recording <file>',
      'a recorded episode, as JSON: its person answers the same messages alike',
    );
}

export function voiceOf(flags: PersonFlags): Voice | undefined {
  const { personModel, personBaseUrl, personRecording } = flags;
  if (personModel !== undefined && personRecording !== undefined)
    throw new WhetstoneError('usage', 'Who speaks? Give either --person-model or --person-recording.');
  if (personRecording !== undefined) return recordedVoice(readRecordings(readJson(personRecording)));
  return personModel === undefined ? undefined : modelVoice(modelChoice(personModel, personBaseUrl));
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

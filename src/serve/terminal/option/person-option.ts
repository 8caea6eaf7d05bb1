import type { Command } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { modelVoice } from '../../../grade/episode/voice/model-voice.ts';
import { readRecordings, recordedVoice } from '../../../grade/episode/voice/recorded-voice.ts';
import type { Hearing } from '../../../grade/episode/hearing/hearing.ts';
import { modelHearing } from '../../../grade/episode/hearing/model-hearing.ts';
import type { Voice } from '../../../grade/episode/voice/voice.ts';
import { positive } from './option.ts';
import { readJson } from '../scenario-folder.ts';

export interface PersonFlags {
  readonly personModel?: string;
  readonly personBaseUrl?: string;
  readonly personSeconds: number;
  readonly personRecording?: string;
  readonly hearing?: string;
  readonly hearingBaseUrl?: string;
}

/** Who plays persons, in addition to the rules. */
export interface PersonModels {
  readonly voice?: Voice;
  readonly hearing?: Hearing;
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
      '--hearing <name>',
      'a model that understands what is asked for, in any language: provider/model (default: the rules)',
    )
    .option('--hearing-base-url <url>', 'where that model is served, if not at its provider')
    .option('--person-seconds <number>', 'how long a turn may wait for each of these models', positive, 20)
    .option(
      '--person-recording <file>',
      'a recorded episode, as JSON: its person gives the same answers to the same messages',
    );
}

/** Who speaks and hears for persons; models are loaded when one is named. */
export async function personOf(flags: PersonFlags): Promise<PersonModels> {
  const { hearing: name, hearingBaseUrl, personSeconds } = flags;
  const voice = await voiceOf(flags);
  if (name === undefined) return { ...(voice && { voice }) };
  const { modelChoice } = await import('./model-option.ts');
  const hearing = modelHearing(modelChoice(name, hearingBaseUrl), { timeoutMs: personSeconds * 1000 });
  return { ...(voice && { voice }), hearing };
}

async function voiceOf(flags: PersonFlags): Promise<Voice | undefined> {
  const { personModel, personBaseUrl, personRecording, personSeconds } = flags;
  if (personModel !== undefined && personRecording !== undefined)
    throw new WhetstoneError('usage', 'Who speaks? Give either --person-model or --person-recording.');
  if (personRecording !== undefined) return recordedVoice(readRecordings(readJson(personRecording)));
  if (personModel === undefined) return undefined;
  const { modelChoice } = await import('./model-option.ts');
  return modelVoice(modelChoice(personModel, personBaseUrl), { timeoutMs: personSeconds * 1000 });
}

import { Command } from 'commander';

import { creditCalls, type CallCredit } from '../../../grade/check/shrink/credit.ts';
import { placeOfCriterion } from '../../../grade/check/shrink/criterion-place.ts';
import { shrinkTranscript, type Shrunk } from '../../../grade/check/shrink/shrink.ts';
import { formatLocation } from '../../../grade/scenario/diagnostic.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import type { Transcript } from '../../../grade/scenario/transcript.ts';
import { share } from '../../terminal/option/option.ts';
import { openEpisode, withEpisode, type EpisodeFlags } from './open-episode.ts';
import { transcriptJson, transcriptText } from '../../terminal/transcript-text.ts';

interface Flags extends EpisodeFlags {
  readonly criterion?: string;
  readonly reward?: boolean | number;
  readonly json?: boolean;
}

export function command(): Command {
  return withEpisode(
    new Command('shrink')
      .description(
        'Find the smallest transcript that still fails the same criterion, or still earns the same reward, and what each call was worth. No model is asked: turns, calls, sentences and members of inputs are taken away, played and graded again.\nWithout --criterion it keeps what closed the gate, else the largest penalty, else the largest credit that something in the transcript missed; where it succeeded, its reward.',
      )
      .argument(
        '<episode>',
        'the id of an episode, or a file with a transcript as JSON; "-" for standard input',
      )
      .option('--criterion <id>', 'the criterion that must still fail in the same way, or still earn as much')
      .option(
        '--reward [at-least]',
        'keep the reward and the success, no matter what fails; or keep at least this reward',
        share,
      )
      .option('--json', 'print one line of JSON'),
  ).action(async (place: string, flags: Flags) => {
    const { scenario, task, transcript, verdicts } = await openEpisode(place, flags);
    const { criterion, reward = false } = flags;
    const shrunk = shrinkTranscript(task, transcript, {
      verdicts,
      reward,
      ...(criterion !== undefined && { criterion }),
    });
    const credit = creditCalls(task, transcript, { verdicts });
    const judged = Object.keys(verdicts);
    console.log(
      flags.json === true
        ? JSON.stringify(asJson({ scenario, transcript, shrunk, credit, judged }))
        : asText({ scenario, transcript, shrunk, credit, judged }),
    );
  });
}

interface Finding {
  readonly scenario: Scenario;
  readonly transcript: Transcript;
  readonly shrunk: Shrunk;
  readonly credit: readonly CallCredit[];
  /** Criteria whose stored verdicts were held fixed. */
  readonly judged: readonly string[];
}

function asJson({ scenario, transcript, shrunk, credit, judged }: Finding): object {
  const { target, before, after, tried } = shrunk;
  return {
    keeps: target.keeps,
    ...(target.keeps !== 'reward' && {
      criterion: target.criterion,
      place: formatLocation(placeOfCriterion(scenario, target.criterion)),
    }),
    before: { ...sizeOf(transcript), reward: before.reward, success: before.success },
    after: { ...sizeOf(shrunk.transcript), reward: after.reward, success: after.success },
    tried,
    ...(judged.length > 0 && { verdicts_held: judged }),
    transcript: transcriptJson(shrunk.transcript),
    credit: { later_turns: 'held fixed', calls: credit },
  };
}

function asText({ scenario, transcript, shrunk, credit, judged }: Finding): string {
  const { target, before, after, tried } = shrunk;
  const kept =
    target.keeps === 'reward'
      ? `It still earns ${after.reward.toFixed(3)} (${before.reward.toFixed(3)} before)${after.success === 1 ? ', with success' : ''}.`
      : `It still ${target.keeps === 'failure' ? 'fails' : 'earns'} "${target.criterion.id}": ${target.criterion.reason}\n${formatLocation(placeOfCriterion(scenario, target.criterion))}`;
  return [
    `From ${sayOf(transcript)} to ${sayOf(shrunk.transcript)}; ${tried} transcripts were played and graded.`,
    kept,
    ...(judged.length > 0 ? [`The verdicts on ${judged.join(', ')} were kept as they are stored.`] : []),
    '',
    shrunk.transcript.turns.length === 0
      ? '(nothing: saying and doing nothing gives the same)'
      : transcriptText(shrunk.transcript),
    ...(credit.length === 0 ? [] : ['', creditText(credit)]),
  ].join('\n');
}

function creditText(credit: readonly CallCredit[]): string {
  const lines = credit.map(
    ({ turn, name, reward, changes }) =>
      `${reward > 0 ? '+' : ''}${reward.toFixed(3).padEnd(7)} turn ${String(turn).padEnd(3)} ${name}${changes.length === 0 ? '' : `  (${changes.map(({ id }) => id).join(', ')})`}`,
  );
  return [
    'What each call was worth: the reward with it less the reward without it, with all other turns kept as they were sent.',
    ...lines,
  ].join('\n');
}

function sizeOf({ turns }: Transcript): { readonly turns: number; readonly calls: number } {
  const calls = turns.flatMap(({ messages }) => messages.flatMap(({ toolCalls = [] }) => toolCalls));
  return { turns: turns.length, calls: calls.length };
}

function sayOf(transcript: Transcript): string {
  const { turns, calls } = sizeOf(transcript);
  return `${turns} ${turns === 1 ? 'turn' : 'turns'} with ${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

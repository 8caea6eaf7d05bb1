import { gradeTranscript } from '../../../grade/score/grade-transcript.ts';
import { creditParts } from '../../../grade/check/shrink/credit.ts';
import { transcriptOf } from '../../../grade/episode/grade-turn.ts';
import type { LiveEpisode } from '../../../grade/episode/live-episode.ts';
import type { Grade } from '../../../grade/score/grade.ts';
import type { CreditAnswer, PartCredit } from '../../api/explanation.ts';
import { invalid } from '../../http/refusal.ts';
import { yieldToEventLoop } from '../../http/yield-to-event-loop.ts';
import type { Bare } from './write-answer.ts';

/** Each part is played and graded once more: more parts than this would keep others waiting. */
const mostParts = 500;

/** What each call and the words of each turn were worth. */
export async function creditEpisode(live: LiveEpisode): Promise<Bare<CreditAnswer>> {
  const { task, turns, record, state } = live;
  mustBeReplayable(live);
  const transcript = transcriptOf(live, turns, state, undefined);
  const { reward, verdicts = {} } =
    record.grade === null ? gradeTranscript(task, transcript) : (JSON.parse(record.grade) as Grade);
  const parts: PartCredit[] = [];
  for (const part of creditParts(task, transcript, { verdicts })) {
    const { turn, reward: worth, success, progress, gate, changes } = part;
    parts.push({
      turn,
      ...('call' in part && { index: part.index, name: part.name }),
      reward: worth,
      success,
      progress,
      gate,
      changes: changes.map(({ id, kind }) => ({ id, kind })),
    });
    await yieldToEventLoop();
  }
  return { reward, parts };
}

/** What a browser or a model answered in a turn that is now another one, nobody knows. */
function mustBeReplayable({ task, turns }: LiveEpisode): void {
  if (task.page !== undefined)
    throw invalid('id', 'names an episode on a page, which cannot be played without one of its calls.');
  if (turns.some(({ hearing }) => hearing !== undefined))
    throw invalid(
      'id',
      'names an episode that a model heard, which cannot be played without one of its turns.',
    );
  const parts = turns.flatMap(({ messages }) => messages.flatMap(({ toolCalls = [] }) => [1, ...toolCalls]));
  if (parts.length > mostParts)
    throw invalid(
      'id',
      `names an episode of ${parts.length} parts, but credit is worked out for at most ${mostParts}.`,
    );
}

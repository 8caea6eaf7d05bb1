import { systemClock, type Clock } from '../../../base/host/clock.ts';
import type { Model } from '../../../base/message/model.ts';
import type { Task } from '../../scenario/task.ts';
import type { Transcript } from '../../scenario/transcript.ts';
import {
  addJudgeUsage,
  judgedCriteria,
  noJudgeUsage,
  type JudgedCriterion,
  type JudgeUsage,
  type Verdict,
  type Verdicts,
} from '../../score/verdict.ts';
import { askModel, chooseModel, type ModelChoice } from '../voice/ask-model.ts';
import { judgeRequest, promptHash, readVote, type Vote } from './judge-prompt.ts';
import { Semaphore } from '../semaphore.ts';
import { withTimeout } from '../timeout.ts';

/** Judges what only a model can judge. */
export interface Judge {
  /** A verdict for each criterion of the task that needs one, or for those named. Never throws, and never guesses. */
  judge(task: Task, transcript: Transcript, only?: readonly string[]): Promise<Verdicts>;
}

export interface ModelJudgeOptions {
  /** How long all verdicts of an episode together may take; 30 seconds when left out. */
  readonly timeoutMs?: number;
  /** How many votes may be under way at once, over all episodes; 16 when left out. Waiting counts as time. */
  readonly atOnce?: number;
  readonly clock?: Clock;
}

/**
 * A model judges: each criterion by as many votes as it asks for, side by side as far as the limit allows. A vote that is
 * no verdict is asked for once more. What has no more than half of its votes when the time is up is "not judged".
 */
export function modelJudge(choice: ModelChoice, options: ModelJudgeOptions = {}): Judge {
  const { timeoutMs = 30_000, atOnce = 16, clock = systemClock } = options;
  const turnstile = new Semaphore(atOnce);
  return {
    judge: async (task, transcript, only) => {
      const polls = judgedCriteria(task)
        .filter(({ id }) => only === undefined || only.includes(id))
        .map((criterion) => pollOf(criterion, choice));
      if (polls.length === 0) return {};
      const result = (why: (poll: Poll) => string): Verdicts =>
        Object.fromEntries(polls.map((poll) => [poll.criterion.id, verdictOf(poll, why(poll))]));
      const late = (): Verdicts =>
        result(({ usage }) =>
          usage.calls > 0
            ? `The judge did not answer within ${timeoutMs} ms.`
            : `The judge was not asked within ${timeoutMs} ms: others were before, ${atOnce} at once.`,
        );
      return withTimeout({ clock, ms: timeoutMs, late }, async (signal) => {
        await Promise.all(
          polls.flatMap((poll) =>
            Array.from({ length: poll.criterion.judge.votes }, () =>
              turnstile.pass(signal, () => ask(poll, transcript, signal)),
            ),
          ),
        );
        return result(() => 'The judge gave too few verdicts.');
      });
    },
  };
}

/** The votes on one criterion as they come in. */
interface Poll {
  readonly criterion: JudgedCriterion;
  readonly model?: Model | undefined;
  readonly votes: Vote[];
  readonly faults: string[];
  usage: JudgeUsage;
}

function pollOf(criterion: JudgedCriterion, choice: ModelChoice): Poll {
  const { model, fault } = chooseModel(choice, criterion.judge.model);
  const why = fault ?? (model === undefined ? 'The criterion names no model to judge it.' : undefined);
  return { criterion, model, votes: [], faults: why === undefined ? [] : [why], usage: noJudgeUsage };
}

async function ask(poll: Poll, transcript: Transcript, signal: AbortSignal): Promise<void> {
  const { criterion, model, votes, faults } = poll;
  if (model === undefined) return;
  const request = judgeRequest(criterion, transcript);
  for (let attempt = 1; attempt <= 2; attempt++) {
    poll.usage = addJudgeUsage(poll.usage, { calls: 1 });
    const words = await askModel(model, request, signal);
    const { input, output } = words.reply?.usage ?? noJudgeUsage;
    poll.usage = addJudgeUsage(poll.usage, { input, output });
    if (words.text === undefined) {
      faults.push(words.fault);
      return;
    }
    const vote = readVote(words.text, criterion, transcript.turns.length);
    if (vote !== undefined) {
      votes.push(vote);
      return;
    }
    faults.push(`${model.name} gave no verdict: ${JSON.stringify(words.text.slice(0, 120))}`);
  }
}

/** What more than half of the votes reach at least: of yes and no the majority, and no where they are even. */
function verdictOf({ criterion, model, votes, faults, usage }: Poll, why: string): Verdict {
  const head = {
    ...(model && { model: model.name }),
    promptHash: promptHash(criterion),
    ...(usage.calls > 0 && { usage }),
  };
  const values = votes.map(({ value }) => value);
  if (values.length <= criterion.judge.votes / 2)
    return { score: 0, votes: values, reason: faults[0] ?? why, failed: true, ...head };
  const score = values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1]!;
  const { reason, turn } = votes.find(({ value }) => value === score)!;
  return { score, votes: values, reason, ...(turn !== undefined && { turn }), ...head };
}

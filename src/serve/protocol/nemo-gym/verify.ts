import { isWhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { evaluate } from '../../../grade/episode/evaluate.ts';
import { numbersOf } from '../../../grade/episode/outcome.ts';
import type { Caller, TaskChoice } from '../../../grade/episode/request.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import type { TurnMessage } from '../../../grade/scenario/transcript.ts';
import type { ServerContext } from '../../http/context.ts';
import { finishOffer } from '../session/offer.ts';
import { turnOf } from '../session/session.ts';
import { readToolCall } from '../session/tool-call.ts';
import { type Ending, endingOf, writeReward } from './reward.ts';
import { mustBeTaskOf, readResponse, readRow, type WrittenCall } from './row.ts';
import { findSession } from './sessions.ts';

/**
 * Grades a rollout: a session by its episode, which this ends; a rollout that was stored, by playing its calls again. The
 * row and the response go back as they came, since the caller takes the answer for both.
 */
export async function verify(
  context: ServerContext,
  caller: Caller,
  session: string | undefined,
  body: JsonObject,
): Promise<JsonObject> {
  const { task } = readRow(body);
  const { calls } = readResponse(body);
  const record = await findSession(context, caller, session);
  let ending: Ending | undefined;
  if (record !== undefined) {
    mustBeTaskOf(record, task);
    ending = endingOf(await context.engine.end(caller, record.id, 'client_terminated'));
  }
  return { ...body, ...writeReward(ending ?? (await playAgain(context, caller, task, calls)), body) };
}

async function playAgain(
  context: ServerContext,
  caller: Caller,
  choice: TaskChoice,
  calls: readonly WrittenCall[],
): Promise<Ending> {
  const { engine } = context;
  const task = engine.tasks.task(engine.tasks.choose(caller, choice));
  const { grade } = await evaluate(engine, caller, {
    ...choice,
    messages: messagesOf(task, calls),
    eachIsTurn: true,
  });
  return { numbers: numbersOf(grade), reason: 'client_terminated' };
}

/** The turns that these calls were. What was refused when it was called is left out, as is all after the end. */
function messagesOf(task: Task, calls: readonly WrittenCall[]): readonly TurnMessage[] {
  const messages: TurnMessage[] = [];
  for (const { name, input } of calls) {
    if (name === finishOffer.name) break;
    if (input === undefined) continue;
    try {
      messages.push(...turnOf(readToolCall(task, { name, input })).messages);
    } catch (error) {
      if (!isWhetstoneError(error) || error.code !== 'request_invalid') throw error;
    }
  }
  return messages;
}

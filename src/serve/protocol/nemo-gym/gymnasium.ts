import { isWhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { TurnOutcome } from '../../../grade/episode/outcome.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { nameAt } from '../../http/fields.ts';
import { actionBook, finishOffer } from '../session/offer.ts';
import { endingOfRecord, toldBefore, turnOf, type Action } from '../session/session.ts';
import { readResponse, type WrittenCall } from './row.ts';
import { endingOf, writeReward } from './reward.ts';

/** What the person said first, for `/reset`: the briefing is in the row already. */
export function firstObservation({ opening, briefing }: Task): JsonObject {
  const { content } = opening;
  const words = (content.startsWith(briefing) ? content.slice(briefing.length) : content).trim();
  return {
    observation: words === '' ? null : words,
    info: { supports_step_idempotency: true, supports_explicit_close: true },
  };
}

/**
 * A whole reply is one turn. The agent adds up the rewards and may stop at any step, so each is the difference of the
 * running grade: their sum is the grade at every moment.
 */
export async function step(
  context: ServerContext,
  caller: Caller,
  record: EpisodeRecord,
  body: JsonObject,
): Promise<JsonObject> {
  const { engine } = context;
  const { words, calls } = readResponse(body);
  const key = nameAt(body['_ng_step_request_id'], '_ng_step_request_id');
  const reply = readReply(engine.tasks.taskOf(record), words, calls);
  const finishes = calls.some(({ name }) => name === finishOffer.name);
  let outcome: TurnOutcome | undefined;
  if (!finishes || reply.action.message !== '' || reply.action.calls.length > 0)
    try {
      ({ outcome } = await engine.submitTurn(caller, record.id, turnOf(reply.action, key)));
    } catch (error) {
      if (!isWhetstoneError(error)) throw error;
      // Told to the model: a refusal here would end the trainer's whole run.
      if (error.code === 'request_invalid') return going(error.message, 0, calls, reply.refusals);
      if (error.code !== 'episode_complete') throw error;
      return ended(await engine.readRecord(caller, record.id), 0);
    }
  if (finishes || outcome?.ended !== undefined) {
    const last = await engine.end(caller, record.id, 'client_terminated');
    const told = await toldBefore(context, record.id, outcome?.turn ?? last.turnCount + 1);
    return ended(last, (last.reward ?? 0) - told);
  }
  if (outcome === undefined) return going(null, 0, calls, reply.refusals);
  const running = outcome.numbers?.reward ?? 0;
  const reward = running - (await toldBefore(context, record.id, outcome.turn));
  const { content } = outcome.observation;
  return going(content === '' ? null : content, reward, calls, reply.refusals, outcome);
}

/** What a reply does, and what its calls that cannot be run are answered with. */
function readReply(
  task: Task,
  message: string,
  written: readonly WrittenCall[],
): { readonly action: Action; readonly refusals: ReadonlyMap<WrittenCall, string> } {
  const book = actionBook(task);
  const calls: Action['calls'][number][] = [];
  const refusals = new Map<WrittenCall, string>();
  for (const call of written) {
    if (call.name === finishOffer.name) break;
    const known = call.input === undefined ? undefined : book.callOf(call.name, call.input);
    if (known !== undefined) calls.push(known);
    else if (call.input === undefined) refusals.set(call, 'The arguments are not JSON.');
    else refusals.set(call, `There is no tool "${call.name.slice(0, 100)}".`);
  }
  return { action: { message, calls }, refusals };
}

function going(
  observation: string | null,
  reward: number,
  calls: readonly WrittenCall[],
  refusals: ReadonlyMap<WrittenCall, string>,
  outcome?: TurnOutcome,
): JsonObject {
  const results = [...(outcome?.results ?? [])];
  const outputs = calls.map((call) => {
    const refusal = refusals.get(call);
    if (refusal !== undefined) return { call_id: call.id, output: refusal };
    const at = results.findIndex(({ name }) => name === call.name);
    const [result] = at === -1 ? [] : results.splice(at, 1);
    return { call_id: call.id, output: result?.output ?? (outcome === undefined ? 'Not run.' : 'Done.') };
  });
  return { observation, reward, terminated: false, truncated: false, info: { tool_outputs: outputs } };
}

/** The last step. Its `info` goes through to the result of the rollout. */
function ended(record: EpisodeRecord, reward: number): JsonObject {
  const ending = endingOf(record);
  const { reward: _, ...numbers } = ending === undefined ? { reward: 0 } : writeReward(ending, {});
  const truncated = record.terminalReason === 'max_turns_reached';
  return {
    observation: null,
    reward,
    terminated: !truncated,
    truncated,
    info: { ...numbers, episode_id: record.id, ...endingOfRecord(record) },
  };
}

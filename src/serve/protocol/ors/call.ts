import { isWhetstoneError } from '../../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { TurnOutcome } from '../../../grade/episode/outcome.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { WhetstoneError } from '../../../base/host/errors.ts';
import { finishOffer } from '../session/offer.ts';
import { endingOf, endingOfRecord, finalReward, rewardOf, turnOf, wasFinished } from '../session/session.ts';
import { readToolCall, textOf } from '../session/tool-call.ts';

export interface OrsCall {
  readonly name: string;
  readonly input: JsonValue;
  /** Also the turn's idempotency key: a call that was stored is found again by it, on any server. */
  readonly taskId: string;
}

/** Runs a call and gives the JSON of its result. What the model did wrong is a result too, and runs nothing. */
export async function callTool(
  context: ServerContext,
  caller: Caller,
  episode: string,
  call: OrsCall,
): Promise<string> {
  const { engine } = context;
  try {
    const record = await engine.readRecord(caller, episode);
    if (call.name === finishOffer.name) return await finish(context, caller, record);
    const { outcome } = await engine.submitTurn(
      caller,
      episode,
      turnOf(readToolCall(engine.tasks.taskOf(record), call), call.taskId),
    );
    return await writeOutcome(context, episode, outcome);
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    if (error.code === 'request_invalid') return refused(error.message);
    if (error.code === 'episode_complete')
      return refused('The task is finished. Nothing more can be done in it.');
    throw error;
  }
}

/** The result of a call that was stored, for a client that asks for it again. */
export async function repeatCall(
  context: ServerContext,
  record: EpisodeRecord,
  { name, taskId }: Omit<OrsCall, 'input'>,
): Promise<string> {
  const row = await context.engine.store.readTurnByKey(record.id, taskId);
  // `finish` is not a turn: what is stored of it is that the client ended the episode.
  if (row === undefined && name === finishOffer.name && wasFinished(record))
    return writeFinished(context, record);
  if (row === undefined)
    throw new WhetstoneError('request_invalid', `Unknown task_id: ${taskId.slice(0, 100)}`);
  return writeOutcome(context, record.id, JSON.parse(row.answer) as TurnOutcome);
}

async function finish(context: ServerContext, caller: Caller, record: EpisodeRecord): Promise<string> {
  if (record.status === 'complete')
    throw new WhetstoneError('episode_complete', 'Episode already complete.', {
      details: { turn: record.turnCount },
    });
  return writeFinished(context, await context.engine.end(caller, record.id, 'client_terminated'));
}

async function writeFinished(context: ServerContext, ended: EpisodeRecord): Promise<string> {
  return accepted('The task is finished.', {
    metadata: { turn: ended.turnCount, ...endingOfRecord(ended) },
    reward: await finalReward(context, ended),
    finished: true,
  });
}

async function writeOutcome(context: ServerContext, episode: string, outcome: TurnOutcome): Promise<string> {
  const { turn, ended } = outcome;
  return accepted(textOf(outcome), {
    metadata: { turn, ...endingOf(outcome) },
    reward: await rewardOf(context, episode, outcome),
    finished: ended !== undefined,
  });
}

function accepted(
  text: string,
  {
    metadata,
    reward,
    finished,
  }: { readonly metadata: JsonObject; readonly reward: number | null; readonly finished: boolean },
): string {
  const output = { blocks: [{ type: 'text', text, detail: null }], metadata, reward, finished };
  return JSON.stringify({ ok: true, output });
}

function refused(error: string): string {
  return JSON.stringify({ ok: false, error });
}

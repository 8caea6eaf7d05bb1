import { WhetstoneError } from '../../base/host/errors.ts';
import type { TurnMessage } from '../scenario/transcript.ts';
import type { TurnRecord } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { readHistory, type Reading } from './voice/message-history.ts';
import type { LiveEpisode } from './live-episode.ts';
import { hashOf } from './request-hash.ts';
import type { TurnRequest } from './request.ts';

/** Whether a request is a turn that is stored already, or the next one. */
export type Decision =
  | { readonly kind: 'repeat'; readonly row: TurnRecord }
  | { readonly kind: 'next'; readonly messages: readonly TurnMessage[]; readonly messagesHash: string };

/**
 * A repeat is known by its idempotency key, by its number, or by the history it carries. What is neither a repeat nor
 * the next turn is refused; so is a turn without number or history that another one has overtaken since it `arrived`.
 */
export async function decideTurn(
  store: Store,
  live: LiveEpisode,
  request: TurnRequest,
  arrived: number,
): Promise<Decision> {
  const { record } = live;
  const count = record.turnCount;
  if (request.idempotencyKey !== undefined && count > 0) {
    const row = await store.readTurnByKey(record.id, request.idempotencyKey);
    if (row !== undefined) {
      if (row.bodyHash === request.hash) return { kind: 'repeat', row };
      throw conflict(
        'idempotency_conflict',
        `This idempotency key belongs to turn ${row.turn}, which was another request. Use a new key for a new turn.`,
        row.turn,
      );
    }
  }
  if (request.turn !== undefined && request.turn <= count) {
    const row = await readRow(store, live, request.turn);
    const reading = readHistory(live.opening, live.turns.slice(0, request.turn - 1), request.messages);
    const same = row.bodyHash === request.hash || row.messagesHash === hashNew(reading, request);
    if (same) return { kind: 'repeat', row };
    throw taken(request.turn);
  }
  const reading = readHistory(live.opening, live.turns, request.messages);
  if (reading.kind === 'repeat' && request.turn === undefined) {
    const row = await readRow(store, live, reading.turn);
    if (row.messagesHash === hashNew(reading, request)) return { kind: 'repeat', row };
    throw taken(reading.turn);
  }
  if (record.status === 'complete')
    throw conflict('episode_complete', `Episode already complete: ${record.terminalReason}.`, count);
  if (request.turn !== undefined && request.turn > count + 1)
    throw conflict(
      'turn_conflict',
      `Turn ${request.turn} is skipped ahead: the next turn is ${count + 1}.`,
      count + 1,
    );
  switch (reading.kind) {
    case 'repeat':
    case 'taken':
      throw taken(reading.turn);
    case 'mismatch':
      throw new WhetstoneError('history_mismatch', mismatchText(reading), {
        details: { index: reading.index, turn: count },
      });
    case 'new': {
      const chosen = request.turn !== undefined || reading.withHistory || request.waits === true;
      if (!chosen && arrived !== count) throw taken(arrived + 1);
      return { kind: 'next', messages: reading.messages, messagesHash: hashNew(reading, request) ?? '' };
    }
  }
}

async function readRow(store: Store, live: LiveEpisode, turn: number): Promise<TurnRecord> {
  const [row] = await store.readTurns(live.record.id, turn - 1);
  if (row === undefined)
    throw new WhetstoneError(
      'store_unavailable',
      `The store does not hold turn ${turn} of ${live.record.id}.`,
    );
  return row;
}

function hashNew(reading: Reading, request: TurnRequest): string | undefined {
  if (reading.kind !== 'new' && reading.kind !== 'repeat') return undefined;
  return hashOf({ messages: reading.messages, rewardConfig: request.rewardConfig ?? null });
}

function taken(turn: number): WhetstoneError {
  return conflict('turn_conflict', `Turn ${turn} was taken by another request.`, turn);
}

function conflict(
  code: 'turn_conflict' | 'idempotency_conflict' | 'episode_complete',
  message: string,
  turn: number,
): WhetstoneError {
  return new WhetstoneError(code, message, { details: { turn } });
}

function mismatchText({
  index,
  held,
}: {
  readonly index: number;
  readonly held: string | undefined;
}): string {
  if (held === undefined)
    return `The messages are the history of this episode and hold nothing new after it.`;
  const start = held.length > 80 ? `${held.slice(0, 80)}…` : held;
  return `messages[${index}] differs from the history of this episode, which has "${start}" there. Send only what is new, or the history as it was.`;
}

import { hash, timingSafeEqual } from 'node:crypto';

import type { Clock } from '../../base/host/clock.ts';
import { WhetstoneError } from '../../base/host/errors.ts';
import { randomId } from '../../base/host/random.ts';
import type { Caller } from '../../grade/episode/request.ts';
import type { KeyRecord } from '../../grade/store/record.ts';
import type { Store } from '../../grade/store/store.ts';
import type { ServerContext } from './context.ts';

/** A caller with its key's record; the local person has none. */
export interface Identity {
  readonly caller: Caller;
  readonly key?: KeyRecord;
  /** Requests a minute. */
  readonly rateLimit: number | undefined;
}

export interface NewKey {
  readonly name?: string;
  readonly explain?: boolean;
  readonly collections?: readonly string[];
  readonly rateLimit?: number;
  readonly maxEpisodes?: number;
  readonly maxEvaluations?: number;
  readonly expiresAt?: number;
}

/** Makes a key and stores its hash. The key itself is answered here, once, and can never be read again. */
export async function createKey(
  store: Store,
  wanted: NewKey,
  now: number,
): Promise<{ readonly key: string; readonly record: KeyRecord }> {
  const key = `${randomId('lab')}${randomId('').slice(1)}`;
  const record: KeyRecord = {
    id: randomId('key'),
    hash: hashKey(key),
    name: wanted.name ?? null,
    explain: wanted.explain ?? false,
    collections: wanted.collections ? JSON.stringify(wanted.collections) : null,
    rateLimit: wanted.rateLimit ?? null,
    maxEpisodes: wanted.maxEpisodes ?? null,
    maxEvaluations: wanted.maxEvaluations ?? null,
    createdAt: now,
    expiresAt: wanted.expiresAt ?? null,
    revokedAt: null,
  };
  await store.keys.insert(record);
  return { key, record };
}

/** Who a key is, read from the store each time: a revoked key is refused at once, on every server. */
export async function identify(store: Store, key: string | undefined, clock: Clock): Promise<Identity> {
  const wanted = key === undefined || key.length > 512 ? undefined : hashKey(key);
  const record = wanted === undefined ? undefined : await store.keys.read(wanted);
  const now = clock.now();
  if (
    wanted === undefined ||
    record === undefined ||
    !timingSafeEqual(Buffer.from(record.hash, 'hex'), Buffer.from(wanted, 'hex')) ||
    !holds(record, now)
  )
    throw new WhetstoneError('key_refused', 'Invalid or missing API key');
  return {
    caller: {
      id: record.id,
      explain: record.explain,
      ...(record.collections !== null && { collections: JSON.parse(record.collections) as string[] }),
      ...(record.maxEpisodes !== null && { maxEpisodes: record.maxEpisodes }),
      ...(record.maxEvaluations !== null && { maxEvaluations: record.maxEvaluations }),
    },
    key: record,
    rateLimit: record.rateLimit ?? undefined,
  };
}

/**
 * Whether the key of a caller still holds: for what stays open, a socket or a stream, longer than one request. Who has
 * none was let in while the server ran open.
 */
export async function stillHolds(
  { engine, clock, open }: ServerContext,
  { key }: Identity,
): Promise<boolean> {
  if (key === undefined) return open;
  const record = await engine.store.keys.read(key.hash);
  return record !== undefined && holds(record, clock.now());
}

function holds({ revokedAt, expiresAt }: KeyRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** The person at this machine, where the server runs open. */
export const localCaller: Caller = { id: 'local', explain: true };

function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

import { hashJson } from '../../base/json/sha256.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { equalJson } from '../scenario/world-path.ts';
import type { PlayState } from '../scenario/play-state.ts';

/** A play as it stood: plain JSON, to be kept, gone back to, or gone on from in another way. */
export interface Snapshot {
  readonly state: PlayState;
  /** Of the world alone: two plays with the same hash stand in the same world. */
  readonly worldHash: string;
}

/** One place in which two worlds differ. */
export interface WorldChange {
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

export function takeSnapshot(state: PlayState): Snapshot {
  return { state, worldHash: hashWorld(state.world) };
}

/** The state of a snapshot, open again: to rewind is to go on from it, to fork is to do so twice. */
export function rewindTo(snapshot: Snapshot): PlayState {
  return structuredClone(snapshot.state);
}

/** The same for the same world, whatever the order of its members. */
export function hashWorld(world: JsonObject): string {
  return hashJson(world);
}

/** Every place in which a world differs from an earlier one, in the order of their paths. */
export function diffWorlds(before: JsonObject, after: JsonObject): readonly WorldChange[] {
  const changes: WorldChange[] = [];
  compare(before, after, '', changes);
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  changes: WorldChange[],
): void {
  if (before !== undefined && after !== undefined && equalJson(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(own(before, key), own(after, key), path === '' ? key : `${path}.${key}`, changes);
    return;
  }
  changes.push({
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

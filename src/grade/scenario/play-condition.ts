import type { JsonValue } from '../../base/json/value.ts';
import { equalJson, readPath } from './world-path.ts';
import type { PlayState } from './play-state.ts';

/** What was done or missed so far in a play: decides what comes next in a journey. Its members are joined by "and". */
export interface PlayCondition {
  readonly found?: readonly string[];
  readonly missed?: readonly string[];
  readonly called?: string;
  readonly not_called?: string;
  /** With `called`: the value that was decided. */
  readonly value?: JsonValue;
  /** World paths and the values they must have. */
  readonly world?: Readonly<Record<string, JsonValue>>;
}

export function playConditionHolds(wanted: PlayCondition, state: PlayState): boolean {
  const callsOf = (name: string) => state.calls.filter((call) => call.name === name && !call.injected);
  const isOut = (fact: string) => Object.hasOwn(state.revealed, fact);
  if (wanted.found && !wanted.found.every(isOut)) return false;
  if (wanted.missed && wanted.missed.some(isOut)) return false;
  if (wanted.not_called !== undefined && callsOf(wanted.not_called).length > 0) return false;
  if (wanted.called !== undefined) {
    const calls = callsOf(wanted.called);
    if (calls.length === 0) return false;
    if (wanted.value !== undefined && !calls.some((call) => equalJson(call.value ?? null, wanted.value!)))
      return false;
  }
  return Object.entries(wanted.world ?? {}).every(([path, value]) => {
    const found = readPath(state.world, path);
    return found !== undefined && equalJson(found, value);
  });
}

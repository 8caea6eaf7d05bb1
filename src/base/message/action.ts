import type { JsonObject } from '../json/value.ts';

export type Point = readonly [x: number, y: number];

/** Asked by a provider before an action; echoed when a person has agreed. */
export interface SafetyCheck {
  readonly id: string;
  readonly code?: string;
  readonly message?: string;
}

/** One action on a computer. The message room completes this union. */
export interface Action {
  readonly type: string;
  readonly xy?: Point;
  readonly raw?: JsonObject;
}

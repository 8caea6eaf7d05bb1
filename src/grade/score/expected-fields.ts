import type { JsonValue } from '../../base/json/value.ts';
import { readPath } from '../scenario/world-path.ts';
import { judgeExpected } from './expected-call.ts';
import { matchField } from './match/match-field.ts';
import type { TranscriptView } from './transcript-view.ts';

/** An expected call beside the call that answered it, field by field. */
export interface ExpectedReport {
  readonly id: string;
  /** The tool's id. */
  readonly call: string;
  /** Where it was answered: the turn, and the call in it, counted over all its messages from 0. */
  readonly turn?: number;
  readonly index?: number;
  readonly holds: boolean;
  readonly fields: readonly FieldReport[];
}

/** One field: what was expected of it, what was sent, and how well that matches, from 0 to 1. */
export interface FieldReport {
  readonly field: string;
  readonly expected: JsonValue;
  readonly got?: JsonValue;
  readonly share: number;
}

/** What each expected call should have been, and what was sent instead. */
export function reportExpected(view: TranscriptView): readonly ExpectedReport[] {
  return judgeExpected(view).map(({ expected, call, holds }) => {
    const fields = Object.entries(expected.input).map(([field, wanted]): FieldReport => {
      const got = call && readPath(call.call.input, field);
      const share = call ? matchField(wanted, got).share : 0;
      return { field, expected: wanted, ...(got !== undefined && { got }), share };
    });
    const { id, call: name } = expected;
    if (!call) return { id, call: name, holds, fields };
    const index = view.calls.filter(({ turn, order }) => turn === call.turn && order < call.order).length;
    return { id, call: name, turn: call.turn, index, holds, fields };
  });
}

import type { JsonValue } from '../../json/value.ts';

/** A schema on its way to the wire; made here, and not yet shared. */
export type Wire = Record<string, unknown>;

/** A step whose unions are not settled: which branches need a tag shows only when everything is written. */
export type RawStep =
  | { readonly op: 'wrap'; readonly key: string; inner?: RawStep }
  | {
      readonly op: 'object';
      readonly members: RawMember[];
      pairs?: { readonly wire: string; value?: RawStep };
      others?: RawStep;
    }
  | { readonly op: 'pairs'; value?: RawStep }
  | { readonly op: 'list'; items: RawStep }
  | { readonly op: 'places'; readonly places: (RawStep | undefined)[]; rest?: RawStep }
  | {
      readonly op: 'tuple';
      readonly places: RawMember[];
      rest?: { readonly wire: string; items?: RawStep };
    }
  | { readonly op: 'union'; readonly choices: RawChoice[]; readonly list: Wire[] }
  | { readonly op: 'text' }
  | { readonly op: 'enum'; readonly values: readonly JsonValue[]; readonly labels: readonly JsonValue[] }
  | { readonly op: 'reference'; readonly to: string };

export interface RawMember {
  readonly name: string;
  readonly wire: string;
  /** Settled at the end: a union that takes null may have its branches tagged. */
  absent: 'null' | 'ambiguous-null' | 'marker' | undefined;
  readonly inner: RawStep | undefined;
  readonly of: Wire;
}

export interface RawChoice {
  readonly wire: Wire;
  readonly step: RawStep | undefined;
  tag?: string;
}

export interface Written {
  readonly wire: Wire;
  readonly step: RawStep | undefined;
}

/** The steps directly inside a step. */
export function innerSteps(step: RawStep): readonly (RawStep | undefined)[] {
  switch (step.op) {
    case 'wrap':
      return [step.inner];
    case 'pairs':
      return [step.value];
    case 'list':
      return [step.items];
    case 'places':
      return [...step.places, step.rest];
    case 'tuple':
      return [...step.places.map(({ inner }) => inner), step.rest?.items];
    case 'object':
      return [...step.members.map(({ inner }) => inner), step.pairs?.value, step.others];
    case 'union':
      return step.choices.map((choice) => choice.step);
    default:
      return [];
  }
}

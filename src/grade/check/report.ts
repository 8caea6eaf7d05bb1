import type { SourceLocation } from '../scenario/diagnostic.ts';
import { formatLocation } from '../scenario/diagnostic.ts';
import type { AnswerMeasure } from './by-heart/measure-answers.ts';
import type { Decider } from './check-criteria.ts';
import type { PersonMeasure } from './measure-person.ts';

/** What a check found: faults refuse the scenario; warnings do so only where the check is strict. */
export interface ScenarioReport {
  readonly scenario: string;
  readonly variantsChecked: number;
  readonly variants: number;
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Over the checked variants: the lowest and the highest reward of each path and each cheat. */
  readonly paths: readonly Span[];
  readonly exploits: readonly Span[];
  /** Who decides of each criterion. */
  readonly deciders: readonly Decider[];
  /** How well the person understands the questions of `questions.yaml`, where there are any. */
  readonly person?: PersonMeasure;
  /** How far it can be learned by heart, where enough variants were played. */
  readonly answers?: AnswerMeasure;
  /** How many facts the person tells when asked. */
  readonly askable: number;
}

export interface Finding {
  readonly message: string;
  readonly place: SourceLocation;
  readonly variant?: number;
}

export interface Span {
  readonly id: string;
  readonly lowest: number;
  readonly highest: number;
}

/** The same finding in many variants is one finding, with the first of them. */
export class Findings {
  readonly #found = new Map<string, Finding & { readonly variants: Set<number | undefined> }>();

  add(message: string, place: SourceLocation, variant?: number): void {
    const key = `${formatLocation(place)}:${message.replace(/[\d.]+/g, '#').slice(0, 60)}`;
    const known = this.#found.get(key);
    // A world breaks in one variant as often as it is played.
    if (known) known.variants.add(variant);
    else
      this.#found.set(key, {
        message,
        place,
        variants: new Set([variant]),
        ...(variant === undefined ? {} : { variant }),
      });
  }

  all(): readonly Finding[] {
    return [...this.#found.values()].map(({ variants, ...finding }) =>
      variants.size > 1
        ? { ...finding, message: `${finding.message} (in ${variants.size} variants)` }
        : finding,
    );
  }
}

export class Spans {
  readonly #spans = new Map<string, { lowest: number; highest: number }>();

  add(id: string, reward: number): void {
    const span = this.#spans.get(id);
    if (!span) this.#spans.set(id, { lowest: reward, highest: reward });
    else {
      span.lowest = Math.min(span.lowest, reward);
      span.highest = Math.max(span.highest, reward);
    }
  }

  all(): readonly Span[] {
    return [...this.#spans].map(([id, span]) => ({ id, ...span }));
  }
}

import type { Action } from '../../../base/message/action.ts';
import { actionArguments } from '../../../base/message/action-object.ts';
import { joinEffects } from '../effect.ts';
import type { CallOutcome, CallPerformer, CallRequest } from '../session.ts';
import type { ComputerRecord, RecordedStep } from './record.ts';
import { isSameStep, singleSteps, type StepPlace } from './steps.ts';

/** Answers from a record, and says where an action is not the next one of it. Nothing is started, nothing is done. */
export class Replay implements CallPerformer {
  readonly #record: ComputerRecord;
  #next = 0;

  constructor(record: ComputerRecord) {
    this.#record = record;
  }

  /** The size of the next picture. */
  get display(): RecordedStep['display'] {
    const step = this.#record.steps[this.#next] ?? this.#record.steps.at(-1);
    return step?.display ?? this.#record.screen;
  }

  async perform({ actions, wantsPicture = false }: CallRequest): Promise<CallOutcome> {
    const texts: string[] = [];
    const effects: (string | undefined)[] = [];
    const events: CallOutcome['events'][number][] = [];
    let failure: CallOutcome['failure'];
    let asked: string | undefined;
    for (let at = 0; at < actions.length && failure === undefined; at++) {
      const before = this.#next;
      for (const step of singleSteps(actions[at]!)) {
        const recorded = this.#record.steps[this.#next];
        if (recorded === undefined || !this.#isNext(step, recorded)) {
          // The whole action is not the next one.
          failure = { code: 'departed', message: departure(actions[at]!, this.#record.steps[before]), at };
          this.#next = before;
          break;
        }
        this.#next++;
        texts.push(...recorded.texts);
        effects.push(recorded.effect);
        events.push(...recorded.events);
        if (step.type === 'screenshot' || step.type === 'zoom') asked = recorded.picture;
        if (recorded.failure !== undefined) {
          failure = { ...recorded.failure, at };
          break;
        }
      }
    }
    const last = this.#record.steps[this.#next - 1];
    const effect = joinEffects(effects);
    const name = wantsPicture ? this.#lastPicture() : asked;
    return {
      ...(failure !== undefined && { failure }),
      texts,
      ...(name !== undefined && { picture: await this.#record.picture(name) }),
      ...(effect !== undefined && { effect }),
      url: last?.url ?? 'about:blank',
      events,
    };
  }

  #isNext(step: Action, recorded: RecordedStep): boolean {
    const place: StepPlace = {
      display: recorded.display,
      cursor: this.#record.steps[this.#next - 1]?.cursor ?? [0, 0],
    };
    // What was typed there is not in the record, so any typing may be it.
    if (recorded.masked === true) return step.type === recorded.action.type;
    return isSameStep(step, recorded.action, place);
  }

  #lastPicture(): string | undefined {
    return this.#record.steps.slice(0, this.#next).findLast((step) => step.picture !== undefined)?.picture;
  }
}

function departure(given: Action, recorded: RecordedStep | undefined): string {
  const said = shown(given);
  if (recorded === undefined) return `The record has ended, and the action given is ${said}.`;
  return `The next action of the record is ${shown(recorded.action)}, and the one given is ${said}.`;
}

function shown(action: Action): string {
  return JSON.stringify(actionArguments(action));
}

import type { Model } from '../../../base/message/model.ts';
import type { Usage } from '../../../base/message/usage.ts';
import type { Context, InnerOutcome, InnerRun, RunAround } from '../../tool/contract.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { RunContext } from '../run-context.ts';
import { usageOf } from '../run-usage.ts';
import { runNested } from './nested.ts';
import type { NestedOptions } from './nested.ts';

/** A run as the tools that it calls see it. */
export class RunView implements RunAround {
  readonly #context: Omit<RunContext, 'callRunner'>;

  constructor(context: Omit<RunContext, 'callRunner'>) {
    this.#context = context;
  }

  get model(): Model {
    return this.#context.options.model;
  }

  get tools(): Toolbox {
    return this.#context.box;
  }

  get usage(): Usage {
    return usageOf(this.#context.log.entries);
  }

  start(context: Context, options: InnerRun): Promise<InnerOutcome> {
    return runNested(this.#context, context, options as NestedOptions);
  }
}

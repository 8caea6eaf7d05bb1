import { WhetstoneError } from '../../../base/host/errors.ts';

/** A tool that a program calls by itself has nothing to run a model in. */
export function noRunAround(): never {
  throw new WhetstoneError(
    'run_option_invalid',
    'This call is not part of a run, so `context.run` has no model to ask. Call `runWithin(context, { model, … })`, which then starts a run of its own.',
  );
}

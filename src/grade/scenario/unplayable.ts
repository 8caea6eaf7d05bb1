import { WhetstoneError } from '../../base/host/errors.ts';
import type { Fault } from './place.ts';
import { sayFault } from './place.ts';

/** What whoever wants to play a scenario is told of its first fault. */
export function unplayable(collection: string, scenario: string, fault: Fault): WhetstoneError {
  return new WhetstoneError(
    'scenario_invalid',
    `The scenario "${collection}/${scenario}" cannot be played. ${sayFault(fault)}`,
    { details: { collection, scenario } },
  );
}

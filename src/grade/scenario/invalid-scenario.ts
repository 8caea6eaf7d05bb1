import { WhetstoneError } from '../../base/host/errors.ts';
import type { Diagnostic } from './diagnostic.ts';
import { formatDiagnostic } from './diagnostic.ts';

/** What whoever wants to play a scenario is told of its first fault. */
export function invalidScenario(collection: string, scenario: string, fault: Diagnostic): WhetstoneError {
  return new WhetstoneError(
    'scenario_invalid',
    `The scenario "${collection}/${scenario}" cannot be played. ${formatDiagnostic(fault)}`,
    { details: { collection, scenario } },
  );
}

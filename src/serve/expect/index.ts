import { AssertionError } from 'node:assert';

import { playGate, type PassOptions, type TestedPlayer } from './pass.ts';

export { playGate } from './pass.ts';
export type { PassOptions, PassReport, TestedPlayer } from './pass.ts';

/** What can be expected of a player. */
export interface PlayerExpectation {
  /** Plays trials until it is shown that the player succeeds at least so often; throws where it does not, or where it stays open. */
  toPass(scenario: string, options?: PassOptions): Promise<void>;
}

/**
 * Tests an agent by what it does in a scenario, with any test runner.
 *
 * @example await expect(operator(agent)).toPass('support/refund', { atLeast: 0.8, trials: 200 });
 */
export function expect(player: TestedPlayer): PlayerExpectation {
  return {
    async toPass(scenario, options) {
      const { verdict, message } = await playGate(player, scenario, options);
      if (verdict !== 'pass') throw new AssertionError({ message, stackStartFn: expect });
    },
  };
}

/** For `expect.extend(matchers)` of Vitest and Jest. */
export const matchers = {
  async toPass(
    player: TestedPlayer,
    scenario: string,
    options?: PassOptions,
  ): Promise<{ readonly pass: boolean; readonly message: () => string }> {
    const { verdict, message } = await playGate(player, scenario, options);
    return { pass: verdict === 'pass', message: () => message };
  },
};

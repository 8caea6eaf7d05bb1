import { calculate } from '../python/evaluate.ts';
import { contains, iterate } from '../python/operate.ts';
import { typeError } from '../python/exception.ts';
import type { Tool } from './tool.ts';

/** The tools that both domains have. */
export const sharedTools: Readonly<Record<string, Tool>> = {
  calculate: {
    parameters: ['expression'],
    run(_, expression = null) {
      const allowed = iterate(expression).every((character) => contains('0123456789+-*/(). ', character));
      if (!allowed) return 'Error: invalid characters in expression';
      if (typeof expression !== 'string')
        throw typeError('eval() arg 1 must be a string, bytes or code object');
      return calculate(expression);
    },
  },
  think: { parameters: ['thought'], run: () => '' },
  transfer_to_human_agents: { parameters: ['summary'], run: () => 'Transfer successful' },
};

/** The tools that end an episode; among a task's own actions they are not replayed. */
export const terminateTools: ReadonlySet<string> = new Set(['transfer_to_human_agents']);

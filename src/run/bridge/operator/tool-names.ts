import { WhetstoneError } from '../../../base/host/errors.ts';
import type { SeatTool } from './episode.ts';

/** The agent's own tools and those of the episode are in one list: no name may mean two things. */
export function expectOtherNames(own: readonly string[], tools: readonly SeatTool[]): void {
  const taken = tools.find(({ name }) => own.includes(name));
  if (taken === undefined) return;
  throw new WhetstoneError(
    'tool_duplicate',
    `Both the agent and the episode have a tool named "${taken.name}". Rename the agent's.`,
    { details: { tool: taken.name } },
  );
}

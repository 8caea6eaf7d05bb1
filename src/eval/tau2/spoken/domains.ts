import { airlineAgent } from './airline.ts';
import { mockTools } from './mock.ts';
import { phoneTools } from './phone.ts';
import { retailAgent } from './retail.ts';
import { telecomAgent } from './telecom.ts';
import type { SpokenTools } from './tool.ts';

/** What both sides of each domain are told of their tools, and answered by them. */
export const spokenTools: Readonly<Record<string, SpokenTools>> = {
  airline: { agent: airlineAgent, user: {} },
  retail: { agent: retailAgent, user: {} },
  telecom: { agent: telecomAgent, user: phoneTools },
  mock: mockTools,
};

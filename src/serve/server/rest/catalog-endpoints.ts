import type { ServerContext } from '../../http/context.ts';
import { countAt } from '../../http/fields.ts';
import { answerJson, type Endpoint, pathName } from './endpoint.ts';
import { writeCatalog, writeScenarioAnswer } from './write-answer.ts';

/** What there is to play. */
export function catalogEndpoints({ engine }: ServerContext): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/catalog',
      operation: 'getCatalog',
      answer: async (c) => answerJson(c, writeCatalog(engine, c.var.identity.caller)),
    },
    {
      method: 'GET',
      path: '/catalog/:collection/:scenario',
      operation: 'getScenario',
      answer: async (c) => {
        const variant = countAt(c.req.query('variant'), 'variant');
        const choice = engine.tasks.choose(c.var.identity.caller, {
          collection: pathName(c, 'collection'),
          scenario: pathName(c, 'scenario'),
          ...(variant !== undefined && { variant }),
        });
        return answerJson(c, writeScenarioAnswer(engine, choice.scenario, engine.tasks.task(choice)));
      },
    },
  ];
}

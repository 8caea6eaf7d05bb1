import type { JsonValue } from '../../../base/json/value.ts';
import { apiNames } from '../../../wire/catalog.ts';
import { viewTools, type ApiView } from '../../../wire/tool-view.ts';
import type { ApiTools } from '../../api/catalog.ts';
import { toolSpec } from '../../api/tool-spec.ts';
import type { ServerContext } from '../../http/context.ts';
import { countAt } from '../../http/fields.ts';
import { answerJson, type Endpoint, pathName } from './endpoint.ts';
import { writeCatalog, writeScenarioAnswer, writeTools } from './write-answer.ts';

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
    {
      method: 'GET',
      path: '/catalog/:collection/:scenario/tools',
      operation: 'getScenarioTools',
      answer: async (c) => {
        const choice = engine.tasks.choose(c.var.identity.caller, {
          collection: pathName(c, 'collection'),
          scenario: pathName(c, 'scenario'),
        });
        const specs = writeTools(engine.tasks.task(choice)).map(toolSpec);
        return answerJson(c, { apis: apiNames.map((api) => writeView(viewTools(specs, api))) });
      },
    },
  ];
}

function writeView({ api, tools }: ApiView): ApiTools {
  return {
    api,
    tools: tools.map(({ name, sent, wireName, strict, schema, reports }) => ({
      name,
      sent,
      ...(wireName !== undefined && wireName !== name && { wire_name: wireName }),
      ...(strict !== undefined && { strict }),
      ...(schema !== undefined && { schema: schema as JsonValue }),
      lost: reports.map(({ field, message }) => ({ ...(field !== undefined && { field }), message })),
    })),
  };
}

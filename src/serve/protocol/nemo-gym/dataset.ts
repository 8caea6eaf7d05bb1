import type { JsonObject } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { ServerContext } from '../../http/context.ts';
import { countAt, optionAt } from '../../http/fields.ts';
import { invalid } from '../../http/refusal.ts';
import { actionBook, sayOffer } from '../session/offer.ts';

const mostRows = 1000;

/** The rows of a split, as JSON lines: what an agent is given, and the task that it gives back to us. */
export function dataset(
  { engine: { tasks } }: ServerContext,
  caller: Caller,
  query: URLSearchParams,
): string {
  const asked = (name: string): string | undefined => query.get(name) ?? undefined;
  const split = asked('split') ?? 'train';
  const style = optionAt(asked('style'), 'style', ['tools', 'gymnasium']) ?? 'tools';
  const known = tasks.collections(caller);
  const wanted = asked('collection');
  const collections = known.filter(({ slug, splits }) =>
    wanted === undefined ? Object.hasOwn(splits, split) : slug === wanted,
  );
  if (collections.length === 0)
    throw invalid('collection', `must be one of ${known.map(({ slug }) => slug).join(', ')}.`);
  const offset = countAt(asked('offset'), 'offset') ?? 0;
  const limit = countAt(asked('limit'), 'limit', { min: 1, max: mostRows }) ?? mostRows;
  const agent = asked('agent');
  const lines: string[] = [];
  let place = 0;
  for (const { slug: collection } of collections) {
    const size = tasks.count(collection, split);
    for (let index = Math.max(0, offset - place); index < size && lines.length < limit; index += 1) {
      const { scenario, variant, seed } = tasks.choose(caller, { collection, split, index });
      const task = tasks.task({ scenario, variant, seed });
      const offers = actionBook(task).offers.filter(
        ({ name }) => style === 'tools' || name !== sayOffer.name,
      );
      const row: JsonObject = {
        responses_create_params: {
          input: [{ role: 'user', content: style === 'tools' ? task.opening.content : task.briefing }],
          tools: offers.map(({ name, description, input_schema: parameters }) => ({
            type: 'function',
            ...{ name, description, parameters, strict: false },
          })),
          parallel_tool_calls: false,
        },
        verifier_metadata: {
          id: `${scenario.slug}:${variant}`,
          ...{ collection, scenario: scenario.slug, variant, split, index },
        },
        ...(agent !== undefined && { agent_ref: { type: 'responses_api_agents', name: agent } }),
      };
      lines.push(`${JSON.stringify(row)}\n`);
    }
    place += size;
  }
  return lines.join('');
}

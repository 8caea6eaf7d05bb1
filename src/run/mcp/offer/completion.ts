import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';
import type { ServedPrompt } from './prompt.ts';
import type { ServedResource } from './resource.ts';

/** Ways to go on from what a person has begun to write. `others` are the gaps that are filled in already. */
export type Complete = (
  begun: string,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

/** The protocol takes no more at once. */
const mostValues = 100;

/** Whether anything that is offered knows how its gaps go on. */
export function completes(prompts: readonly ServedPrompt[], resources: readonly ServedResource[]): boolean {
  return (
    resources.some(({ complete }) => complete !== undefined) ||
    prompts.some((prompt) => prompt.arguments?.some(({ complete }) => complete !== undefined))
  );
}

/** What may come for one gap of a prompt, or of a form of addresses. A gap that knows nothing has no values. */
export async function completeGap(
  prompts: readonly ServedPrompt[],
  resources: readonly ServedResource[],
  { ref, argument, context }: JsonObject,
): Promise<JsonObject> {
  const { name, value } = isJsonObject(argument) ? argument : {};
  if (!isJsonObject(ref) || typeof name !== 'string' || typeof value !== 'string')
    throw new RpcError(invalidParams, 'params must have `ref`, and `argument` with a name and a value.');
  const prompt = prompts.find((each) => ref['type'] === 'ref/prompt' && each.name === ref['name']);
  const resource = resources.find((each) => ref['type'] === 'ref/resource' && each.uri === ref['uri']);
  if (prompt === undefined && resource === undefined)
    throw new RpcError(invalidParams, `There is nothing that ${JSON.stringify(ref)} refers to.`);
  const gap = prompt?.arguments?.find((each) => each.name === name);
  const complete = gap?.complete ?? resource?.complete?.[name];
  const filled = isJsonObject(context) && isJsonObject(context['arguments']) ? context['arguments'] : {};
  const others = Object.entries(filled).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const values = (await complete?.(value, Object.fromEntries(others))) ?? [];
  return {
    completion: {
      values: values.slice(0, mostValues),
      total: values.length,
      hasMore: values.length > mostValues,
    },
  };
}

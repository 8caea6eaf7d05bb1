/**
 * Claude from 5.5 on, Fable and Mythos from 5.1 on. They refuse a forced call (`tool_choice: type "tool" and "any" are
 * not supported for this model`), and what they thought goes back only with the list of tools that it was thought
 * with (`The block is bound to a different conversation`). Their names are the same in Anthropic's API, on Bedrock and
 * on Vertex.
 */
export function isNewestClaude(model: string): boolean {
  const [, family, major, minor = '0'] =
    /\bclaude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? [];
  if (family === undefined) return false;
  const first = family === 'fable' || family === 'mythos' ? 1 : 5;
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= first);
}

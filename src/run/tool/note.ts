import type { Note, ToolFailure } from './contract.ts';
import type { PreparedTool } from './prepare-tool.ts';

/** What a tool says to a person of a call. A note that throws says so, and harms nothing else. */
export function noteFor(
  tool: PreparedTool,
  kind: 'noteOnRequest' | 'noteOnResult' | 'noteOnFailure',
  input: unknown,
  other?: unknown,
): Note | undefined {
  const definition = tool.tool;
  if (definition[kind] === undefined) return undefined;
  try {
    if (kind === 'noteOnRequest') return definition.noteOnRequest?.(input as never);
    if (kind === 'noteOnResult') return definition.noteOnResult?.(input as never, other as never);
    return definition.noteOnFailure?.(input as never, other as ToolFailure);
  } catch (error) {
    return {
      label: tool.name,
      detail: `${kind} threw: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

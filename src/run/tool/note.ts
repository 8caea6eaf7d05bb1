import type { Note, ToolFailure } from './contract.ts';
import type { PreparedTool } from './prepare-tool.ts';

type NoteKind = 'noteOnRequest' | 'noteOnResult' | 'noteOnFailure';

/** What a tool says to a person of a call. A note that throws, or is none, says so and harms nothing else. */
export function noteFor(
  tool: PreparedTool,
  kind: NoteKind,
  input: unknown,
  other?: unknown,
): Note | undefined {
  if (tool.tool[kind] === undefined) return undefined;
  try {
    const said: unknown = ask(tool, kind, input, other);
    if (said === undefined || said === null) return undefined;
    if (isNote(said)) return said;
    // Nobody waits for a note. One that is promised and then fails must not end the process.
    if (said instanceof Promise) said.catch(() => undefined);
    return { label: tool.name, detail: `${kind} answered with no note: ${wanted}.` };
  } catch (error) {
    return {
      label: tool.name,
      detail: `${kind} threw: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function ask({ tool }: PreparedTool, kind: NoteKind, input: unknown, other: unknown): Note | undefined {
  if (kind === 'noteOnRequest') return tool.noteOnRequest?.(input as never);
  if (kind === 'noteOnResult') return tool.noteOnResult?.(input as never, other as never);
  return tool.noteOnFailure?.(input as never, other as ToolFailure);
}

const wanted = 'it is a text, or { label, detail } of texts, and given at once';

/** Tools in JavaScript may answer with anything, and whoever shows a note reads its label. */
function isNote(said: unknown): said is Note {
  if (typeof said === 'string') return true;
  if (typeof said !== 'object' || said === null) return false;
  const { label, detail } = said as { readonly label?: unknown; readonly detail?: unknown };
  return typeof label === 'string' && (detail === undefined || typeof detail === 'string');
}

import type { BoundTool, ToolBinding } from './bind-tools.ts';
import { constant } from './body-text.ts';

/**
 * How an API lists tools, written once for as long as they stay bound. `by` is what else the writing depends on;
 * undefined where there are no tools.
 */
export function toolWriter<WireTool, By = void>(
  write: (tools: readonly BoundTool[], by: By) => readonly WireTool[],
): (binding: ToolBinding, by: By) => readonly WireTool[] | undefined {
  const kept = new WeakMap<ToolBinding, { readonly by: By; readonly written: readonly WireTool[] }>();
  return (binding, by) => {
    if (binding.tools.length === 0) return undefined;
    const known = kept.get(binding);
    if (known !== undefined && known.by === by) return known.written;
    const written = constant(write(binding.tools, by));
    kept.set(binding, { by, written });
    return written;
  };
}

import { createRequire } from 'node:module';

/**
 * Loads a module next to another one, at once: for what is large, seldom needed, and then needed in the
 * middle of work that does not wait. The module and what it imports may not await at their top.
 */
export function loadBeside<Module>(from: string, name: string): Module {
  return createRequire(from)(`${name}${from.endsWith('.ts') ? '.ts' : '.js'}`) as Module;
}

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { WhetstoneError } from '../../base/host/errors.ts';
import { commandTool, commandTools } from '../../run/tool/command-tool.ts';
import type { AnyTool } from '../../run/tool/contract.ts';
import { toolsFrom } from '../../run/tool/tools-from.ts';
import { isToolbox, toolbox } from '../../run/tool/toolbox.ts';
import type { Toolbox, ToolSource } from '../../run/tool/toolbox.ts';
import { importModule } from './import-module.ts';

/** Where tools are looked for when nobody says where. */
const usualPlaces = ['tools.ts', 'tools.js', 'tools.mjs', 'tools'];

/** The tools of a module (all that it exports), of a command tool's folder, or of a folder of such folders. */
export async function loadTools(path: string | undefined): Promise<Toolbox> {
  const place = path ?? usualPlaces.find((usual) => existsSync(usual));
  if (place === undefined || !existsSync(place)) {
    throw new WhetstoneError(
      'usage',
      place === undefined
        ? `Which tools? Say where they are: a module, or a folder with spec.json. Looked for ${usualPlaces.join(', ')}.`
        : `There is nothing at ${place}.`,
    );
  }
  if (!statSync(place).isDirectory()) return toolsOfModule(place);
  if (existsSync(join(place, 'spec.json'))) return toolbox(await commandTool(place));
  const found = await commandTools(place);
  if (found.size > 0) return found;
  throw new WhetstoneError(
    'usage',
    `There are no tools in ${place}: no folder in it has a spec.json. Tools in TypeScript are named by their file, such as ${join(place, 'prices.ts')}.`,
  );
}

async function toolsOfModule(path: string): Promise<Toolbox> {
  const module = await importModule(path, 'a module of tools');
  const found = Object.values(module).flatMap(sourcesIn);
  if (found.length > 0) return toolbox(found);
  // Nothing but functions: their signatures say what they are.
  if (Object.values(module).some((value) => typeof value === 'function'))
    return toolbox(...(await toolsFrom(path)));
  throw new WhetstoneError(
    'usage',
    `${path} exports no tools. Export what \`tool({…})\`, \`new MyTool()\` or \`toolbox(…)\` gives; found ${Object.keys(module).join(', ') || 'no exports'}.`,
  );
}

function sourcesIn(value: unknown): readonly ToolSource[] {
  if (isToolbox(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(sourcesIn);
  return isTool(value) ? [value] : [];
}

function isTool(value: unknown): value is AnyTool {
  if (typeof value !== 'object' || value === null) return false;
  const tool = value as Readonly<Record<string, unknown>>;
  return (
    typeof tool['name'] === 'string' &&
    typeof tool['description'] === 'string' &&
    ('run' in tool || 'input' in tool)
  );
}

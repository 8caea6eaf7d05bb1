import { statSync } from 'node:fs';
import { join } from 'node:path';
import { types } from 'node:util';

import type { JsonObject } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { objectsIn } from '../json-list.ts';
import { loadModule, placeOfError, placeOfWord, Refused, remedyFor, sayError } from './load-module.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';
import type { WorldFunction } from '../task.ts';

/** The function tools that are written in TypeScript, by their id. */
export type WorldCode = Readonly<Record<string, WorldFunction>>;

/** The world that `code: world.ts` names: the file exports `tools`, a function for each id. */
export function readWorldCode(folder: string, source: SourceFile, faults: Diagnostic[]): WorldCode {
  const name = isJsonObject(source.value) ? source.value['code'] : undefined;
  if (typeof name !== 'string') return {};
  const file = join(folder, name);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) {
    faults.push({
      message: `The world "${name}" is ${found ? 'a folder' : 'not there'}. Write it at ${file}, or take the line away.`,
      place: source.locate(['code']),
    });
    return {};
  }
  try {
    const { tools } = loadModule(file);
    if (typeof tools !== 'object' || tools === null) throw new Error('it exports no object called "tools"');
    return functionsIn(tools);
  } catch (error) {
    const place = error instanceof NoTool ? placeOfWord(error.tool, file) : placeOfError(error, file);
    faults.push({
      message: `The world "${name}" cannot be loaded: ${sayError(error)}.${remedyFor(error, place)}`,
      place,
    });
    return {};
  }
}

/** A tool that cannot be asked, by its name. */
export class NoTool extends Refused {
  readonly tool: string;

  constructor(tool: string, why: string) {
    super(`its tool "${tool}" is ${why}`);
    this.tool = tool;
  }
}

/** The functions of a world, or an error that names the one that cannot be asked. */
export function functionsIn(tools: object): WorldCode {
  for (const [name, run] of Object.entries(tools)) {
    if (typeof run !== 'function') throw new NoTool(name, 'no function');
    if (types.isAsyncFunction(run) || types.isGeneratorFunction(run))
      throw new NoTool(
        name,
        `${types.isAsyncFunction(run) ? 'async' : 'a generator'}; a world answers at once, from what it is given`,
      );
  }
  return { ...tools } as WorldCode;
}

/** Every function of the scenario does something, and all that is written is a function of the scenario. */
export function checkWorldCode(source: SourceFile, code: WorldCode): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const template = source.value as JsonObject;
  const tools = objectsIn(template['tools']);
  const functions = tools.filter((tool) => tool['type'] === 'function').map((tool) => String(tool['id']));
  tools.forEach((tool, index) => {
    const id = String(tool['id']);
    if (tool['type'] === 'function' && !('steps' in tool) && !Object.hasOwn(code, id))
      faults.push({
        message: `The function "${id}" does nothing. Give it "steps", or write it in TypeScript ("code").`,
        place: source.locate(['tools', index]),
      });
    if ('steps' in tool && Object.hasOwn(code, id))
      faults.push({
        message: `The function "${id}" has both steps and TypeScript. Keep one of them.`,
        place: source.locate(['tools', index]),
      });
  });
  for (const id of Object.keys(code))
    if (!functions.includes(id)) {
      const near = nearestName(id, functions);
      faults.push({
        message: `The code has a function "${id}", and the scenario no such tool.${near ? ` Did you mean "${near}"?` : ''} ${functions.length > 0 ? `Known: ${functions.join(', ')}.` : 'Add it to "tools", or take it away.'}`,
        place: source.locate(['code']),
      });
    }
  return faults;
}

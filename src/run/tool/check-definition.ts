import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { AnyTool } from './contract.ts';
import { nearestNames } from '../../base/schema/check/nearest-names.ts';

/** Refuses what is not a tool at all, and says what it is and what was probably meant. */
export function checkIsTool(value: unknown): void {
  if (typeof value === 'object' && value !== null && 'name' in value) return;
  throw new WhetstoneError('tool_invalid', `One of the tools is ${whatIs(value)}`, { details: { value } });
}

function whatIs(value: unknown): string {
  if (typeof value === 'function') {
    const called = value.name === '' ? 'without a name' : `"${value.name}"`;
    return /^class\b/.test(String(value))
      ? `the class ${called}. Make an instance of it: new ${value.name}().`
      : `the function ${called}. Give it a name, a description and an input with tool({ …, run }), or take the functions of a whole file with toolsFrom.`;
  }
  if (value instanceof Promise) return 'a promise. Await it first.';
  if (typeof value !== 'object' || value === null)
    return `${typeof value === 'string' ? JSON.stringify(value) : String(value)}, which is not a tool. Is something spelled wrong in its import, or not exported?`;
  const inside = Object.values(value);
  return inside.length > 0 &&
    inside.every((each) => typeof each === 'object' && each !== null && 'run' in each)
    ? 'an object of tools. Give them as a list: Object.values(tools).'
    : `an object without a name: ${Object.keys(value).join(', ') || '{}'}. A tool has name, description, input and run.`;
}

const nameThatSomeProviderTakes = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

export function checkName(tool: AnyTool): void {
  if (typeof tool.name === 'string' && nameThatSomeProviderTakes.test(tool.name)) return;
  const hint =
    typeof tool.name === 'string' && tool.name.length > 0
      ? ` For example: ${JSON.stringify(tool.name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) || 'tool')}.`
      : '';
  throw new WhetstoneError(
    'tool_name_invalid',
    `A tool cannot be called ${JSON.stringify(tool.name) ?? 'undefined'}: no provider takes that name. Use a letter or "_" first, then letters, digits, "_" and "-", 64 at most.${hint}`,
    { details: { name: tool.name } },
  );
}

/** Refuses what a definition lacks, what it says wrongly, and what it says in words of another library. */
export function checkDefinition(tool: AnyTool): void {
  checkDescription(tool);
  checkMembers(tool);
  checkSettings(tool);
}

function checkDescription(tool: AnyTool): void {
  if (typeof tool.description === 'string' && tool.description.trim() !== '') return;
  throw new WhetstoneError(
    'tool_description_missing',
    `The tool "${tool.name}" has no description. Say in a sentence what it does and when to use it: the model chooses by it.`,
    { details: { name: tool.name } },
  );
}

const members: ReadonlySet<string> = new Set([
  ...['name', 'description', 'input', 'text', 'spec', 'run', 'call', 'runs', 'readArguments', 'approval'],
  ...['noteOnRequest', 'noteOnResult', 'noteOnFailure', 'isAvailable', 'start', 'stop', 'strict'],
  ...[
    'providerOptions',
    'concurrency',
    'timeout',
    'idempotent',
    'outputBudget',
    'keepImages',
    'returnDirect',
    'inject',
  ],
  ...['repair', 'coerce', 'editable', 'output'],
]);

/** What other libraries call it. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ execute: 'run', handler: 'run', func: 'run', invoke: 'run', callback: 'run' },
  ...{ parameters: 'input', inputSchema: 'input', schema: 'input', args: 'input', input_schema: 'input' },
  ...{ needsApproval: 'approval', requireApproval: 'approval', requiresApproval: 'approval' },
};

/**
 * A setting that is spelled wrong would be left out in silence, and a tool that wants an approval run without one.
 * What is not near to any member may be the program's own.
 */
function checkMembers(tool: AnyTool): void {
  const prototype: unknown = Object.getPrototypeOf(tool);
  // A class may have any members it likes.
  if (prototype !== Object.prototype && prototype !== null) return;
  for (const member of Object.keys(tool)) {
    if (members.has(member)) continue;
    const meant =
      otherWords[member] ?? (member.length > 3 ? nearestNames(member, [...members], 1)[0] : undefined);
    if (meant === undefined) continue;
    throw new WhetstoneError(
      'tool_setting_invalid',
      `The tool "${tool.name}" says \`${member}\`, which is not a setting. Did you mean \`${meant}\`?`,
      { details: { name: tool.name, field: member } },
    );
  }
}

function checkSettings(tool: AnyTool): void {
  const wrong = (field: string, value: unknown, expected: string): never => {
    throw new WhetstoneError(
      'tool_setting_invalid',
      `The tool "${tool.name}" sets ${field} to ${String(value)}; expected ${expected}.`,
      { details: { name: tool.name, field, value } },
    );
  };
  const { timeout, outputBudget, keepImages, concurrency, runs, approval, inject, run } = tool;
  if (timeout !== undefined && timeout !== false && !(timeout > 0))
    wrong('timeout', timeout, 'milliseconds above 0, or false');
  if (keepImages !== undefined && !(Number.isInteger(keepImages) && keepImages >= 1))
    wrong('keepImages', keepImages, 'a whole number of images, at least 1');
  if (outputBudget !== undefined && outputBudget !== false && !(outputBudget >= 0))
    wrong('outputBudget', outputBudget, 'a number of characters, or false');
  if (concurrency !== undefined && concurrency !== 'parallel' && concurrency !== 'one-at-a-time')
    wrong('concurrency', concurrency, '"parallel" or "one-at-a-time"');
  if (runs !== undefined && runs !== 'here' && runs !== 'client') wrong('runs', runs, '"here" or "client"');
  if (
    approval !== undefined &&
    approval !== 'never' &&
    approval !== 'always' &&
    typeof approval !== 'function'
  )
    wrong('approval', approval, '"never", "always" or a function of the arguments');
  if (inject !== undefined && !Array.isArray(inject))
    wrong('inject', inject, 'a list of names of properties');
  if (run !== undefined && typeof run !== 'function') wrong('run', run, 'a function');
}

/** What a provider runs is told to it by its own entry: one that lacks it would only be found in a request. */
export function checkHosted({ name, spec }: AnyTool): void {
  if (spec?.kind !== 'hosted' || (isJsonObject(spec.entry) && typeof spec.api === 'string')) return;
  throw new WhetstoneError(
    'tool_setting_invalid',
    `The tool "${name}" sets spec to ${JSON.stringify(spec)}; expected \`api\` and \`entry\`, its own entry in a request of that API.`,
    { details: { name, field: 'spec', value: spec } },
  );
}

import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { MockScript, MockStep } from './script.ts';

/** Takes what a file holds for a script, or says which part of it is none. */
export function readScript(value: unknown, source = 'the script'): MockScript {
  if (typeof value === 'function') return value as MockScript;
  const steps: unknown = isJsonObject(value) ? value['replies'] : value;
  if (!Array.isArray(steps))
    throw invalid(source, 'it must be a list of replies, an object with `replies`, or a function');
  return steps.map((step, index) => readStep(step, `${source}, reply ${index + 1}`));
}

const replyFields = {
  text: 'string',
  reasoning: 'string',
  refusal: 'string',
  calls: 'list',
  finish: 'string',
  usage: 'object',
  chunk: 'number',
  fault: 'object',
  when: 'object',
  times: 'number',
  then: 'list',
} as const;

const callFields = {
  name: 'string',
  arguments: 'any',
  id: 'string',
  kind: 'string',
  pauseMs: 'number',
} as const;

const faultFields = {
  status: 'number',
  retryAfter: 'number',
  message: 'string',
  cutAfter: 'number',
  oneBytePerChunk: 'boolean',
  pauseMs: 'number',
  hang: 'boolean',
  brokenArguments: 'boolean',
  lengthInCall: 'boolean',
} as const;

const whenFields = {
  contains: 'string',
  system: 'string',
  result: 'string',
  tool: 'string',
  model: 'string',
} as const;

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'list' | 'any';

function readStep(step: unknown, where: string): MockStep {
  if (typeof step === 'string' || typeof step === 'function') return step as MockStep;
  if (!isJsonObject(step)) throw invalid(where, 'it must be a text or an object');
  checkFields(step, replyFields, where);
  if (step['fault'] !== undefined) checkFields(step['fault'], faultFields, `${where}, fault`);
  if (step['when'] !== undefined) checkFields(step['when'], whenFields, `${where}, when`);
  for (const [index, call] of ((step['calls'] ?? []) as readonly unknown[]).entries()) {
    const place = `${where}, call ${index + 1}`;
    checkFields(call, callFields, place);
    if ((call as { readonly name?: unknown }).name === undefined) throw invalid(place, 'it needs a name');
  }
  for (const [index, next] of ((step['then'] ?? []) as readonly unknown[]).entries())
    readStep(next, `${where}, then ${index + 1}`);
  return step as unknown as MockStep;
}

function checkFields(value: unknown, fields: Readonly<Record<string, Kind>>, where: string): void {
  if (!isJsonObject(value)) throw invalid(where, 'it must be an object');
  for (const [name, member] of Object.entries(value)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined)
      throw invalid(where, `it has no field "${name}". Known: ${Object.keys(fields).join(', ')}`);
    const found = Array.isArray(member) ? 'list' : typeof member;
    if (kind !== 'any' && kind !== found)
      throw invalid(where, `its field "${name}" must be a ${kind}, and is a ${found}`);
  }
}

function invalid(where: string, what: string): WhetstoneError {
  return new WhetstoneError('mock_script_invalid', `In ${where}: ${what}.`, { details: { where } });
}

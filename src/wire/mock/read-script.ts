import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { nearestNames } from '../../base/schema/check/nearest-names.ts';
import type { MockReply, MockScript, MockStep } from './script.ts';

/** Takes what a file or a program gives for a script, or says which part of it is none. */
export function readScript(value: unknown, source = 'the script'): MockScript {
  if (typeof value === 'function') return value as MockScript;
  if (isJsonObject(value)) checkFields(value, { replies: 'list' }, source);
  const steps: unknown = isJsonObject(value) ? value['replies'] : value;
  if (!Array.isArray(steps))
    throw invalid(source, 'it must be a list of replies, an object with `replies`, or a function');
  return steps.map((step, index) => readStep(step, `${source}, reply ${index + 1}`));
}

/** The same for what a function of a script answers. */
export function readAnswer(value: unknown, where: string): MockReply {
  if (typeof value === 'function') throw invalid(where, 'it must be a text or an object, and is a function');
  return readStep(value, where) as MockReply;
}

type Kind = 'text' | 'number' | 'boolean' | 'object' | 'list' | 'object or text' | readonly string[];

const replyFields = {
  text: 'text',
  reasoning: 'text',
  refusal: 'text',
  calls: 'list',
  finish: ['stop', 'calls', 'length', 'filter', 'refusal', 'pause', 'error', 'other'],
  usage: 'object',
  chunk: 'number',
  fault: 'object',
  when: 'object',
  times: 'number',
  then: 'list',
} as const;

const callFields = {
  name: 'text',
  arguments: 'object or text',
  id: 'text',
  kind: ['function', 'custom'],
  pauseMs: 'number',
} as const;

const usageFields = { input: 'number', output: 'number', cachedRead: 'number' } as const;

const faultFields = {
  status: 'number',
  retryAfter: 'number',
  message: 'text',
  cutAfter: 'number',
  oneBytePerChunk: 'boolean',
  pauseMs: 'number',
  hang: 'boolean',
  brokenArguments: 'boolean',
  lengthInCall: 'boolean',
} as const;

const whenFields = {
  contains: 'text',
  system: 'text',
  result: 'text',
  tool: 'text',
  model: 'text',
} as const;

function readStep(step: unknown, where: string): MockStep {
  if (typeof step === 'string' || typeof step === 'function') return step as MockStep;
  if (!isJsonObject(step)) throw invalid(where, `it must be a text or an object, and is ${kindOf(step)}`);
  checkFields(step, replyFields, where);
  if (step['usage'] !== undefined) checkFields(step['usage'], usageFields, `${where}, usage`);
  if (step['when'] !== undefined) checkFields(step['when'], whenFields, `${where}, when`);
  if (step['fault'] !== undefined) checkFault(step['fault'], `${where}, fault`);
  for (const [index, call] of listIn(step['calls']).entries()) {
    const place = `${where}, call ${index + 1}`;
    checkFields(call, callFields, place);
    if ((call as { readonly name?: unknown }).name === undefined) throw invalid(place, 'it needs a name');
  }
  for (const [index, next] of listIn(step['then']).entries()) readStep(next, `${where}, then ${index + 1}`);
  return step as unknown as MockStep;
}

function listIn(value: unknown): readonly unknown[] {
  return (value ?? []) as readonly unknown[];
}

function checkFault(fault: unknown, where: string): void {
  checkFields(fault, faultFields, where);
  const { status } = fault as { readonly status?: number };
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599))
    throw invalid(where, `its status must be one of an error, 400 to 599, and is ${status}`);
}

function checkFields(value: unknown, fields: Readonly<Record<string, Kind>>, where: string): void {
  if (!isJsonObject(value)) throw invalid(where, `it must be an object, and is ${kindOf(value)}`);
  for (const [name, member] of Object.entries(value)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined) throw invalid(where, unknownField(name, Object.keys(fields)));
    if (member === undefined || isOf(kind, member)) continue;
    const wanted = typeof kind === 'string' ? withArticle(kind) : `one of ${kind.join(', ')}`;
    const found = typeof kind !== 'string' && typeof member === 'string' ? `"${member}"` : kindOf(member);
    throw invalid(where, `its field "${name}" must be ${wanted}, and is ${found}`);
  }
}

function isOf(kind: Kind, value: unknown): boolean {
  if (typeof kind !== 'string') return kind.includes(value as string);
  if (kind === 'object or text') return isJsonObject(value) || typeof value === 'string';
  return kindOf(value) === withArticle(kind);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (Array.isArray(value)) return 'a list';
  return withArticle(typeof value === 'string' ? 'text' : typeof value);
}

function withArticle(kind: string): string {
  return `${kind.startsWith('o') ? 'an' : 'a'} ${kind}`;
}

function unknownField(name: string, known: readonly string[]): string {
  const [near] = nearestNames(name, known, 1);
  const meant = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `it has no field "${name}".${meant} Known: ${known.join(', ')}`;
}

function invalid(where: string, what: string): WhetstoneError {
  return new WhetstoneError('mock_script_invalid', `In ${where}: ${what}.`, { details: { where } });
}

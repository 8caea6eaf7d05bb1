import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { type ErrorCode, isWhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { printSignatureFile, signatureFile } from '../../base/signature/signature-file.ts';
import type { Call } from '../../base/message/call.ts';
import type { AnyTool } from './contract.ts';
import { ToolUse } from './lifecycle.ts';
import { runCall } from './call/run-call.ts';
import { toolbox } from './toolbox.ts';
import { toolsFrom } from './tools-from.ts';
import { toolsOf } from './tools-of.ts';

const root = mkdtempSync(join(tmpdir(), 'whet-tools-'));
after(() => rmSync(root, { recursive: true }));

const source = (name: string): string => new URL(name, import.meta.url).pathname;
const tools = `
import { tool } from '${source('./define-tool.ts')}';
import { Tool } from '${source('./tool-class.ts')}';
import type { Context } from '${source('./contract.ts')}';
import type { Item } from './types.ts';

/**
 * Prices of some items.
 * @param date of which day
 */
export async function prices(items: Item[], date: Date, currency: 'EUR' | 'USD' = 'EUR') {
  return items.map(({ id, count = 1 }) => \`\${id} \${count} \${currency} \${date.getUTCFullYear()}\`);
}

/** Adds to a total. */
export class Counter {
  #total = 0;
  /** Adds. */
  add(by: number) { return (this.#total += by); }
  /** Says the total. */
  total(context: Context) { return { total: this.#total, step: context.step }; }
}

/** Speaks, word by word. */
export async function* speak({ words }: { words: string[] }) {
  for (const word of words) yield word;
  return words.length;
}

export const clock = tool({ name: 'clock', description: 'The time', input: { type: 'object', properties: {} }, run: () => 'noon' });

export class Own extends Tool {
  name = 'own';
  description = 'A tool already';
  input = { type: 'object', properties: {} };
  run() { return 'own'; }
}
`;
const types = 'export interface Item { id: string; /** How many. @minimum 1 */ count?: number }';

function written(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = mkdtempSync(join(root, 'case-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return (name) => join(folder, name);
}

async function answer(all: readonly AnyTool[], name: string, input: JsonObject): Promise<unknown> {
  const { result } = await runCall(callOf(name, input), toolbox(all));
  return result.content.map((part) => (part.type === 'text' ? part.text : part.type)).join();
}

function callOf(name: string, input: JsonObject): Call {
  return {
    type: 'call',
    id: 'a',
    name,
    arguments: input,
    kind: 'function',
    requiresLocalExecution: true,
  };
}

function code(expected: ErrorCode): (error: unknown) => boolean {
  return (error) => isWhetstoneError(error) && error.code === expected;
}

test('the functions of a file are tools, with nothing but their signatures', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  const all = await toolsFrom(pathToFileURL(at('tools.ts')));
  assert.deepEqual(all.map(({ name }) => name).sort(), ['add', 'clock', 'own', 'prices', 'speak', 'total']);
  const day = '2026-11-21T00:00:00Z';
  assert.equal(
    await answer(all, 'prices', { items: [{ id: 'a', count: 2 }, { id: 'b' }], date: day }),
    '["a 2 EUR 2026","b 1 EUR 2026"]',
  );
  assert.equal(await answer(all, 'add', { by: 2 }), '2');
  assert.equal(await answer(all, 'add', { by: 3 }), '5');
  assert.equal(await answer(all, 'total', {}), '{"total":5,"step":1}');
  assert.equal(await answer(all, 'speak', { words: ['a', 'b'] }), '2');
  assert.equal(await answer(all, 'clock', {}), 'noon');
  assert.equal(await answer(all, 'own', {}), 'own');
});

test('what the types forbid is told to the model by field', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  const all = await toolsFrom(at('tools.ts'), { only: ['prices'] });
  assert.equal(all.length, 1);
  const told = await answer(all, 'prices', { items: [{ id: 'a', count: 0 }], date: '2026-11-21T00:00:00Z' });
  assert.match(String(told), /items\[0\]\.count/);
});

test('a text that is not a day of any calendar is told to the model, and the function does not run', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  const all = await toolsFrom(at('tools.ts'), { only: ['prices'] });
  const items = [{ id: 'a' }];
  for (const date of ['x', 'next week 3', '2026-02-31', '2026-02-30T10:00:00Z', '2026-13-01', '']) {
    const record = await runCall(callOf('prices', { items, date }), toolbox(all));
    assert.equal(record.result.errorCode, 'invalid_arguments', date);
    const [part] = record.result.content;
    assert.match(part?.type === 'text' ? part.text : '', /date: expected a date.*got "/);
  }
  for (const date of ['2028-02-29', '2026-11-21T08:00:00.000Z', '2026-11-21T08:00+02:00'])
    assert.match(String(await answer(all, 'prices', { items, date })), /a 1 EUR 202[68]/);
});

test('single tools can be told how to run', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  const all = await toolsFrom(at('tools.ts'), {
    settings: { add: { approval: 'always' }, clock: { timeout: 5 } },
  });
  assert.equal(all.find(({ name }) => name === 'add')?.approval, 'always');
  assert.equal(all.find(({ name }) => name === 'clock')?.timeout, 5);
});

test('signatures that were read ahead of time need neither the compiler nor the file', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  const file = await signatureFile(at('tools.ts'));
  assert.deepEqual(Object.keys(file.sources).sort(), ['tools.ts', 'types.ts']);
  assert.ok(!JSON.stringify(file).includes(root), 'no path of this machine is written down');
  const stored: unknown = JSON.parse(JSON.stringify(file));
  const module = (await import(pathToFileURL(at('tools.ts')).href)) as Record<string, unknown>;
  const all = toolsOf(module, stored);
  assert.equal(await answer(all, 'add', { by: 2 }), '2');
});

test('a file that was written ahead is taken, also where only JavaScript is left', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  const file = await signatureFile(at('tools.ts'));
  const renamed = {
    ...file,
    signatures: file.signatures.map((each) => ({ ...each, description: `${each.description}!` })),
  };
  writeFileSync(at('tools.schema.ts'), printSignatureFile(renamed, 'tools.ts'));
  const [first] = await toolsFrom(at('tools.ts'));
  assert.equal(first?.description, 'Prices of some items.!');

  const deployed = written({
    'tools.mjs': 'export function double(n, more = 1) { return n * 2 * more; }',
    'tools.schema.mjs': `export const signatures = ${JSON.stringify({
      version: 1,
      sources: { 'tools.mts': 'gone' },
      signatures: [
        {
          ...{ name: 'double', description: 'Doubles', exportName: 'double', dates: [], length: 1 },
          input: {
            type: 'object',
            properties: { n: { type: 'number' }, more: { type: 'number' } },
            required: ['n'],
          },
          parameters: ['n', 'more'].map((name) => ({ name, kind: 'value' })),
        },
      ],
    })};`,
  });
  assert.equal(await answer(await toolsFrom(deployed('tools.mjs')), 'double', { n: 4 }), '8');
});

test('a change that is not of a signature leaves a file that was written ahead in force', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  writeFileSync(at('tools.schema.ts'), printSignatureFile(await signatureFile(at('tools.ts')), 'tools.ts'));
  writeFileSync(at('tools.ts'), tools.replace("'noon'", "'midnight'"));
  assert.equal(await answer(await toolsFrom(at('tools.ts')), 'clock', {}), 'midnight');
});

test('a file that was written ahead and is stale is refused with signatures_stale', async () => {
  const at = written({ 'tools.ts': tools, 'types.ts': types });
  writeFileSync(at('tools.schema.ts'), printSignatureFile(await signatureFile(at('tools.ts')), 'tools.ts'));
  writeFileSync(at('types.ts'), types.replace('@minimum 1', '@minimum 2'));
  await assert.rejects(toolsFrom(at('tools.ts')), (error) => {
    assert.ok(code('signatures_stale')(error));
    assert.match(String(error), /no longer says what types\.ts says/);
    return true;
  });
});

test('without the sources, a function that is gone or takes other arguments is noticed', async () => {
  const at = written({
    'tools.ts': 'export function a(x: string, y?: number) {}\n/** A. */ export class B { c(x: string) {} }',
  });
  const { signatures, ...head } = await signatureFile(at('tools.ts'));
  const described = { ...head, signatures: signatures.map((each) => ({ ...each, description: 'x' })) };
  const B = class {
    c(x: string): string {
      return x;
    }
  };
  assert.equal(toolsOf({ a: (x: string, y: number) => [x, y], B }, described).length, 2);
  const changed: readonly Record<string, unknown>[] = [
    { B },
    { a: (x: string) => x, B },
    { a: (x: string, y: number) => [x, y] },
  ];
  for (const module of changed) assert.throws(() => toolsOf(module, described), code('signatures_stale'));
});

test('start and stop of a class belong to its object: once for all its tools, and no tools themselves', async () => {
  const at = written({
    'shop.ts': `
export const log: string[] = [];
export class Base { /** Ends. */ stop() { log.push('stop'); } }
/** A shop. */
export class Shop extends Base {
  async start() { await null; log.push('start'); }
  /** Buys. */ buy(item: string) { log.push('buy ' + item); }
  /** Sells. */ sell(item: string) { log.push('sell ' + item); }
}
/** Keeps time; its start is for the model. */
export class Timer { /** Starts it. */ start(minutes: number) { log.push('timer ' + minutes); } }
/** A door, whose words are for the model too. */
export class Door { /** Closes it. @tool */ stop() { log.push('door'); } private start() { log.push('never'); } }
`,
  });
  const { log } = (await import(pathToFileURL(at('shop.ts')).href)) as { readonly log: string[] };
  const fromCompiler = await toolsFrom(at('shop.ts'));
  assert.deepEqual(fromCompiler.map(({ name }) => name).sort(), ['buy', 'sell', 'start', 'stop']);
  writeFileSync(at('shop.schema.ts'), printSignatureFile(await signatureFile(at('shop.ts')), 'shop.ts'));
  for (const tools of [fromCompiler, await toolsFrom(at('shop.ts'))]) {
    const use = new ToolUse();
    const box = toolbox(tools);
    const calls: readonly [string, JsonObject][] = [
      ['buy', { item: 'a' }],
      ['sell', { item: 'b' }],
      ['start', { minutes: 5 }],
      ['stop', {}],
      ['buy', { item: 'c' }],
    ];
    for (const [name, input] of calls) {
      const { result } = await runCall(callOf(name, input), box, { use });
      assert.notEqual(result.isError, true, name);
    }
    await use.release();
    assert.deepEqual(log.splice(0), ['start', 'buy a', 'sell b', 'timer 5', 'door', 'buy c', 'stop']);
    await use.release();
    assert.deepEqual(log, []);
  }
});

test('a class that wants arguments is made by its user', async () => {
  const text = `/** Shop. */ export class Shop { constructor(readonly name: string) {}\n/** Says. */ say(word: string) { return this.name + word; } }`;
  const at = written({
    'tools.mts': text
      .replace('readonly name', 'name')
      .replace('{}\n', '{ this.name = name; }\nname: string;\n'),
  });
  await assert.rejects(toolsFrom(at('tools.mts')), code('instance_missing'));
  const { Shop } = (await import(pathToFileURL(at('tools.mts')).href)) as {
    Shop: new (name: string) => object;
  };
  const all = await toolsFrom(at('tools.mts'), { instances: { Shop: new Shop('Kiosk ') } });
  assert.equal(await answer(all, 'say', { word: 'hi' }), 'Kiosk hi');
});

test('what is not a file and what are not signatures is refused', async () => {
  await assert.rejects(toolsFrom(join(root, 'nowhere.ts')), code('signature_file'));
  for (const wrong of [
    undefined,
    {},
    { version: 2, sources: {}, signatures: [] },
    { version: 1, sources: {}, signatures: [{}] },
  ]) {
    assert.throws(() => toolsOf({}, wrong), code('signatures_invalid'));
  }
});

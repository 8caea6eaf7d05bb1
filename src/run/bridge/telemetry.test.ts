import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';

import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { context as contexts, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Context, ContextManager, Meter } from '@opentelemetry/api';

import { call, gate, scriptedModel } from '../../../test/scripted-model.ts';
import { run } from '../loop/run.ts';
import { tool } from '../tool/define-tool.ts';
import { telemetry } from './telemetry.ts';

const add = tool({ name: 'add', description: 'Adds', run: () => 3 });

function recording() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const recorded: [string, number, unknown][] = [];
  const createHistogram = (name: string) => ({
    record: (value: number, attributes: Record<string, unknown>) =>
      void recorded.push([name, value, attributes['gen_ai.token.type']]),
  });
  const meter = { createHistogram } as unknown as Meter;
  return { exporter, recorded, options: { tracer: provider.getTracer('test'), meter } };
}

test('writes a run as spans: the run, each reply, each tool, all below the run', async () => {
  const { exporter, recorded, options } = recording();
  const model = scriptedModel([call('1', 'add', { secret: 7 }), call('2', 'gone')], ['Three.']);
  await run({ model, tools: [add], prompt: 'go', runId: 'r1', on: telemetry({ ...options, name: 'sums' }) });
  const spans = exporter.getFinishedSpans();
  const root = spans.find((span) => span.name === 'invoke_agent sums');
  assert.ok(root);
  assert.equal(root.attributes['gen_ai.conversation.id'], 'r1');
  const below = spans.filter((span) => span.parentSpanContext?.spanId === root.spanContext().spanId);
  assert.deepEqual(below.map((span) => span.name).toSorted(), [
    'chat scripted',
    'chat scripted',
    'execute_tool add',
    'execute_tool gone',
  ]);
  const chat = below.find((span) => span.name === 'chat scripted');
  assert.equal(chat?.attributes['gen_ai.usage.input_tokens'], 10);
  assert.equal(chat?.attributes['gen_ai.provider.name'], 'test');
  const gone = below.find((span) => span.name === 'execute_tool gone');
  assert.equal(gone?.attributes['error.type'], 'unknown_tool');
  assert.equal(gone?.status.code, 2);
  assert.deepEqual(
    recorded.filter(([name]) => name === 'gen_ai.client.token.usage').map(([, value, type]) => [type, value]),
    [
      ['input', 10],
      ['output', 5],
      ['input', 10],
      ['output', 5],
    ],
  );
  assert.ok(!JSON.stringify(spans.map((span) => span.attributes)).includes('secret'));
});

test('writes arguments and results only where it is told to, and ends its spans when the model fails', async () => {
  const { exporter, options } = recording();
  const model = scriptedModel([call('1', 'add', { a: 1 })], [{ throws: new Error('gone') }]);
  const on = telemetry({ ...options, content: true });
  await assert.rejects(async () => void (await run({ model, tools: [add], prompt: 'go', on })));
  const spans = exporter.getFinishedSpans();
  const tools = spans.find((span) => span.name === 'execute_tool add');
  assert.equal(tools?.attributes['gen_ai.tool.call.arguments'], '{"a":1}');
  assert.equal(tools?.attributes['gen_ai.tool.call.result'], '3');
  const root = spans.find((span) => span.name === 'invoke_agent');
  assert.deepEqual([root?.attributes['whetstone.stop'], root?.status.code], ['error', 2]);
  assert.equal(spans.length, 4);
});

test('ends its spans when the run throws for another reason', async () => {
  const { exporter, options } = recording();
  const model = scriptedModel([call('1', 'add', {})]);
  const broken = new RangeError('The condition broke.');
  const stopWhen = (): Promise<boolean> => Promise.reject(broken);
  await assert.rejects(
    async () => void (await run({ model, tools: [add], prompt: 'go', stopWhen, on: telemetry(options) })),
    broken,
  );
  const spans = exporter.getFinishedSpans();
  const root = spans.find((span) => span.name === 'invoke_agent');
  assert.equal(root?.attributes['error.type'], 'RangeError');
  assert.deepEqual(root?.status, { code: 2, message: 'The condition broke.' });
  assert.equal(spans.length, 3);
});

/** What a program sets up that wants spans to know where they belong, made of what Node has. */
class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = (): Context => this.#storage.getStore() ?? ROOT_CONTEXT;
  with = <A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    within: Context,
    go: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> => this.#storage.run(within, () => go.apply(self, args));
  bind = <T>(_within: Context, target: T): T => target;
  enable = (): this => this;
  disable = (): this => this;
}

test('makes the span of a tool active while it runs, and that of a reply while it is asked for', async (context) => {
  contexts.setGlobalContextManager(new AsyncContexts());
  context.after(() => contexts.disable());
  const { exporter, options } = recording();
  const { tracer } = options;
  const leaf = (name: string): void => tracer.startSpan(name).end();
  const other = gate();
  const look = tool({
    name: 'look',
    description: 'Looks something up',
    input: { type: 'object' },
    // The two calls are under way at once, and each knows its own span after every wait.
    async run(_, { call: { id } }) {
      leaf(`before ${id}`);
      if (id === '1') await other.promise;
      else other.open();
      leaf(`after ${id}`);
    },
  });
  const stream = tool({
    name: 'stream',
    description: 'Tells its progress',
    input: { type: 'object' },
    async *run() {
      yield 1;
      leaf('in a generator');
    },
  });
  const inner = tool({
    name: 'inner',
    description: 'Runs a model of its own',
    input: { type: 'object' },
    run: async () =>
      (
        await run({
          model: scriptedModel(['ok']),
          prompt: 'go',
          on: telemetry({ ...options, name: 'inner' }),
        })
      ).text,
  });
  const model = scriptedModel(
    [{ wait: async () => leaf('request') }, call('1', 'look', { a: 1 }), call('2', 'look', { a: 2 })],
    [call('3', 'stream'), call('4', 'inner')],
    ['ok'],
  );
  await tracer.startActiveSpan('outside', async (outside) => {
    await run({
      model,
      tools: [look, stream, inner],
      prompt: 'go',
      on: telemetry({ ...options, name: 'outer' }),
    });
    outside.end();
  });
  const spans = exporter.getFinishedSpans();
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const above = (name: string): unknown => {
    const parent = byId.get(spans.find((span) => span.name === name)?.parentSpanContext?.spanId ?? '');
    return parent?.attributes['gen_ai.tool.call.id'] ?? parent?.name;
  };
  assert.deepEqual(['before 1', 'after 1', 'before 2', 'after 2'].map(above), ['1', '1', '2', '2']);
  assert.deepEqual(['in a generator', 'invoke_agent inner'].map(above), ['3', '4']);
  assert.deepEqual(['request', 'invoke_agent outer'].map(above), ['chat scripted', 'outside']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Meter } from '@opentelemetry/api';

import { call, scriptedModel } from '../../../test/scripted-model.ts';
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

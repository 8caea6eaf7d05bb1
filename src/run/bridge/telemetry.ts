import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Histogram, Meter, Span, Tracer } from '@opentelemetry/api';

import { systemClock } from '../../base/host/clock.ts';
import type { Clock } from '../../base/host/clock.ts';
import { WhetstoneError } from '../../base/host/errors.ts';
import { argumentsAsText } from '../../base/message/arguments.ts';
import type { Reply } from '../../base/message/model.ts';
import { resultText } from '../../base/message/result.ts';
import type { RunEvent, RunListener, RunWork } from '../loop/event.ts';
import type { CallRecord } from '../tool/call/call-record.ts';

export interface TelemetryOptions {
  /** The tracer and meter named `whetstone` of the global providers by default. */
  readonly tracer?: Tracer;
  readonly meter?: Meter;
  /** Arguments and results go into the spans as well. They may hold what nobody should read there: off by default. */
  readonly content?: boolean;
  /** How the run is called: `invoke_agent NAME`. */
  readonly name?: string;
  readonly clock?: Clock;
}

/**
 * Writes one run as OpenTelemetry spans and metrics, in the words of the GenAI conventions: a span for the run, one
 * for each reply of the model, one for each tool. A tool's span is active while it runs, so that the spans of what it
 * calls are below it; so is a reply's while it is asked for. Make one for each run.
 * @example await run({ model, tools, prompt, on: telemetry({ name: 'support' }) });
 */
export function telemetry(options: TelemetryOptions = {}): RunListener {
  const recorder = new Recorder(options);
  return Object.assign((event: RunEvent) => recorder.hear(event), {
    around: <Value>(work: RunWork, go: () => Value): Value => recorder.within(work, go),
  });
}

class Recorder {
  readonly #options: TelemetryOptions;
  readonly #tracer: Tracer;
  readonly #clock: Clock;
  readonly #tokens: Histogram;
  readonly #duration: Histogram;
  readonly #tools = new Map<string, Span>();
  #model = { provider: 'unknown', name: 'unknown' };
  #run: Span | undefined;
  #within: Context = context.active();
  #reply: { readonly span: Span; readonly from: number } | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#tracer = options.tracer ?? trace.getTracer('whetstone');
    this.#clock = options.clock ?? systemClock;
    const meter = options.meter ?? metrics.getMeter('whetstone');
    this.#tokens = meter.createHistogram('gen_ai.client.token.usage', { unit: '{token}' });
    this.#duration = meter.createHistogram('gen_ai.client.operation.duration', { unit: 's' });
  }

  hear(event: RunEvent): void {
    switch (event.type) {
      case 'run-start':
        return this.#begin(event.runId, event.model);
      case 'step-start':
        return this.#ask();
      case 'reply':
        return this.#answered(event.reply);
      case 'tool-start': {
        const name = `execute_tool ${event.name}`;
        const span = this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL }, this.#within);
        this.#tools.set(event.callId, span);
        return;
      }
      case 'result':
        return this.#ran(event.record);
      case 'finish': {
        const { stop, error } = event.outcome;
        this.#run?.setAttribute('whetstone.stop', stop);
        if (error !== undefined) fail(this.#run, error.kind, error.message);
        this.#run?.end();
        this.#run = undefined;
        return;
      }
      default:
        return;
    }
  }

  within<Value>(work: RunWork, go: () => Value): Value {
    if (work.kind === 'run') {
      const ending = go();
      void Promise.resolve(ending).catch((error: unknown) => this.#broke(error));
      return ending;
    }
    const span = work.kind === 'tool' ? this.#tools.get(work.callId) : this.#reply?.span;
    return span === undefined ? go() : context.with(trace.setSpan(this.#within, span), go);
  }

  #begin(runId: string, model: string): void {
    const slash = model.indexOf('/');
    this.#model = { provider: slash < 0 ? 'unknown' : model.slice(0, slash), name: model.slice(slash + 1) };
    const { name } = this.#options;
    this.#run = this.#tracer.startSpan(name === undefined ? 'invoke_agent' : `invoke_agent ${name}`, {
      kind: SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': runId,
        ...(name !== undefined && { 'gen_ai.agent.name': name }),
        ...this.#about(),
      },
    });
    this.#within = trace.setSpan(context.active(), this.#run);
  }

  /** What is still open when a run throws has ended with what it threw. */
  #broke(error: unknown): void {
    const type =
      error instanceof WhetstoneError ? error.code : error instanceof Error ? error.name : 'thrown';
    for (const span of [...this.#tools.values(), this.#reply?.span, this.#run]) {
      fail(span, type, error instanceof Error ? error.message : String(error));
      span?.end();
    }
    this.#tools.clear();
    this.#reply = undefined;
    this.#run = undefined;
  }

  #about(): Attributes {
    return { 'gen_ai.provider.name': this.#model.provider, 'gen_ai.request.model': this.#model.name };
  }

  #ask(): void {
    const attributes = { 'gen_ai.operation.name': 'chat', ...this.#about() };
    const span = this.#tracer.startSpan(
      `chat ${this.#model.name}`,
      { kind: SpanKind.CLIENT, attributes },
      this.#within,
    );
    this.#reply = { span, from: this.#clock.monotonic() };
  }

  #answered({ finish, usage, id, error }: Reply): void {
    if (this.#reply === undefined) return;
    const { span, from } = this.#reply;
    const about = { 'gen_ai.operation.name': 'chat', ...this.#about() };
    span.setAttribute('gen_ai.response.finish_reasons', [String(finish.raw ?? finish.reason)]);
    if (id !== undefined) span.setAttribute('gen_ai.response.id', id);
    if (usage !== undefined) {
      span.setAttribute('gen_ai.usage.input_tokens', usage.input);
      span.setAttribute('gen_ai.usage.output_tokens', usage.output);
      this.#tokens.record(usage.input, { ...about, 'gen_ai.token.type': 'input' });
      this.#tokens.record(usage.output, { ...about, 'gen_ai.token.type': 'output' });
    }
    if (error !== undefined) fail(span, error.kind, error.message);
    const outcome = error === undefined ? about : { ...about, 'error.type': error.kind };
    this.#duration.record((this.#clock.monotonic() - from) / 1000, outcome);
    span.end();
    this.#reply = undefined;
  }

  #ran({ call, result, success }: CallRecord): void {
    const name = `execute_tool ${call.name}`;
    // A call that was refused has no start of its own: it is a span of no length.
    const span =
      this.#tools.get(call.id) ?? this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL }, this.#within);
    this.#tools.delete(call.id);
    span.setAttributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.type': 'function',
    });
    if (this.#options.content === true) {
      span.setAttribute('gen_ai.tool.call.arguments', argumentsAsText(call));
      span.setAttribute('gen_ai.tool.call.result', resultText(result));
    }
    if (!success)
      fail(
        span,
        result.errorCode ?? 'failed',
        this.#options.content === true ? resultText(result) : undefined,
      );
    span.end();
  }
}

function fail(span: Span | undefined, type: string, message: string | undefined): void {
  span?.setAttribute('error.type', type);
  span?.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}

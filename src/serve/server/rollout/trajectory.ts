import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { readArguments } from '../../../base/message/arguments.ts';
import type { Call } from '../../../base/message/call.ts';
import { callsOf, reasoningOf, textOf } from '../../../base/message/message.ts';
import { resultText } from '../../../base/message/result.ts';
import type { Usage } from '../../../base/message/usage.ts';
import type { OperatorStep } from '../../../run/bridge/operator/episode.ts';

/** Records a trial as a trajectory in the format ATIF 1.8: what the agent heard, and each of its steps. */
export class TrajectoryRecorder {
  readonly #now: () => number;
  readonly #steps: JsonObject[] = [];
  readonly #usage: JsonObject[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  heard(source: 'system' | 'user', message: string): void {
    if (message !== '') this.#push({ source, message });
  }

  did({ message, results, usage }: OperatorStep): void {
    const reasoning = reasoningOf(message);
    const calls = callsOf(message);
    const metrics = usage && metricsOf(usage);
    if (metrics) this.#usage.push(metrics);
    this.#push({
      ...{ source: 'agent', message: textOf(message) },
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({
          ...{ tool_call_id: call.id, function_name: call.name, ...writeArguments(call) },
        })),
      }),
      ...(results.length > 0 && {
        observation: {
          results: results.map((result) => ({
            ...{ source_call_id: result.callId, content: resultText(result) },
          })),
        },
      }),
      ...(metrics && { metrics }),
    });
  }

  /** The whole document. */
  write(agent: JsonObject, extra: JsonObject): JsonObject {
    const sum = (name: string): number =>
      this.#usage.reduce((total, metrics) => total + Number(metrics[name] ?? 0), 0);
    return {
      schema_version: 'ATIF-v1.8',
      agent,
      steps: this.#steps,
      final_metrics: {
        ...(this.#usage.length > 0 && {
          total_prompt_tokens: sum('prompt_tokens'),
          total_completion_tokens: sum('completion_tokens'),
          total_cached_tokens: sum('cached_tokens'),
        }),
        total_steps: this.#steps.length,
      },
      extra: { whetstone: extra },
    };
  }

  #push(step: JsonObject): void {
    const timestamp = new Date(this.#now()).toISOString();
    this.#steps.push({ step_id: this.#steps.length + 1, timestamp, ...step });
  }
}

/** Arguments must be an object there; what was none is kept as it was written. */
function writeArguments(call: Call): JsonObject {
  const reading = readArguments(call);
  if (reading.ok && isJsonObject(reading.value)) return { arguments: reading.value };
  return { arguments: {}, extra: { arguments_text: String(call.arguments) } };
}

function metricsOf({ input, output, cachedRead }: Usage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    ...(cachedRead !== undefined && { cached_tokens: cachedRead }),
  };
}

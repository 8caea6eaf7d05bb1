import type { JsonObject } from '../../base/json/value.ts';
import { readArguments } from '../../base/message/arguments.ts';
import type { Usage } from '../../base/message/usage.ts';
import type { CallRecord } from '../tool/call/call-record.ts';

/** What a run used: tokens, money where the price is known, and tools. */
export interface RunUsage {
  readonly input: number;
  readonly output: number;
  readonly cachedRead: number;
  readonly cachedWrite: number;
  readonly reasoning: number;
  readonly total: number;
  /** Replies that came without a count: then the sums above are too low. */
  readonly unreported: number;
  /** `undefined`: some price is unknown, and so is the sum. */
  readonly cost: number | undefined;
  readonly steps: readonly StepUsage[];
  readonly tools: ToolUsage;
}

export interface StepUsage {
  readonly step: number;
  readonly usage: Usage | undefined;
  readonly cost: number | undefined;
  readonly calls: readonly CallUse[];
  /** The call inside which another run used this. */
  readonly within?: string;
}

export interface CallUse {
  readonly step: number;
  readonly name: string;
  /** As an object where they are one, else as the model wrote them. */
  readonly arguments: JsonObject | string;
  readonly success: boolean;
}

export interface ToolUsage {
  readonly totalCalls: number;
  readonly uniqueTools: readonly string[];
  readonly uniqueCount: number;
  readonly calls: readonly CallUse[];
}

/** One reply as the loop notes it: nothing is computed until someone asks for the whole. */
export interface StepEntry {
  readonly step: number;
  readonly usage: Usage | undefined;
  readonly cost: number | undefined;
  readonly records: readonly CallRecord[];
  /** The call inside which another run used this. */
  readonly within?: string;
}

export function usageOf(entries: readonly StepEntry[]): RunUsage {
  const sum = (read: (usage: Usage) => number | undefined): number =>
    entries.reduce((total, entry) => total + (entry.usage === undefined ? 0 : (read(entry.usage) ?? 0)), 0);
  const steps = entries.map((entry) => ({
    step: entry.step,
    usage: entry.usage,
    cost: entry.cost,
    calls: entry.records.map(useOf),
    ...(entry.within !== undefined && { within: entry.within }),
  }));
  const calls = steps.flatMap((step) => step.calls);
  const uniqueTools = [...new Set(calls.map((call) => call.name))];
  const known = entries.every((entry) => entry.cost !== undefined);
  return {
    input: sum((usage) => usage.input),
    output: sum((usage) => usage.output),
    cachedRead: sum((usage) => usage.cachedRead),
    cachedWrite: sum((usage) => usage.cachedWrite),
    reasoning: sum((usage) => usage.reasoning),
    total: sum((usage) => usage.total),
    unreported: entries.filter((entry) => entry.usage === undefined).length,
    cost: known ? entries.reduce((total, entry) => total + (entry.cost ?? 0), 0) : undefined,
    steps,
    tools: { totalCalls: calls.length, uniqueTools, uniqueCount: uniqueTools.length, calls },
  };
}

function useOf(record: CallRecord): CallUse {
  const { call } = record;
  const reading = readArguments(call);
  return {
    step: record.step,
    name: call.name,
    arguments: reading.ok ? reading.value : call.arguments,
    success: record.success,
  };
}

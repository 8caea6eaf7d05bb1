import { WhetstoneError } from '../../../base/host/errors.ts';
import { nearestNames } from '../../../base/schema/check/nearest-names.ts';
import { wrongValue } from './option-values.ts';
import type { RunOptions } from './options.ts';

/** Refuses what a run could not begin with, or would wait on for ever, and what is said in words of another library. */
export function checkOptions(options: RunOptions): void {
  checkModel(options.model);
  checkNames(options);
  const wrong = wrongValue(options);
  if (wrong !== undefined) throw refusal(wrong);
  const { messages = [], prompt, journal, runId, concurrency, toolTimeout, approvalKey, stopWhen } = options;
  if (messages.length === 0 && prompt === undefined && (journal === undefined || runId === undefined)) {
    throw refusal(
      'The run has neither a prompt nor messages: there is nothing to ask the model. Pass one of them.',
    );
  }
  if (concurrency !== undefined && !(concurrency >= 1)) {
    throw refusal(
      `A concurrency of ${String(concurrency)} lets no call run: it must be a number of at least 1.`,
    );
  }
  if (toolTimeout !== undefined && toolTimeout !== false && !(toolTimeout > 0)) {
    throw refusal(
      `A toolTimeout of ${String(toolTimeout)} cannot be used: give milliseconds above 0, or false.`,
    );
  }
  const conditions = stopWhen === undefined ? [] : [stopWhen].flat();
  if (conditions.some((condition) => typeof condition !== 'function')) {
    throw refusal(
      'stopWhen must be a function of the state that says whether the run ends, or a list of such functions.',
    );
  }
  if ((approvalKey as unknown) !== undefined && (typeof approvalKey !== 'string' || approvalKey === '')) {
    throw refusal('The approvalKey is empty, so anybody could sign. Is the variable that it comes from set?');
  }
}

function checkModel(model: unknown): void {
  if (typeof model === 'object' && model !== null && 'stream' in model) return;
  const named =
    typeof model === 'string' ? ` Give modelNamed(${JSON.stringify(model)}) from whetstone/wire.` : '';
  const foreign =
    typeof model === 'object' && model !== null && 'doStream' in model
      ? ' A model of the AI SDK becomes one with fromAiSdk(model) from whetstone/ai-sdk.'
      : '';
  throw refusal(
    `The run has no model to ask: ${typeof model === 'string' ? JSON.stringify(model) : model === undefined ? '`model` is missing' : '`model` is none'}.${named}${foreign}`,
  );
}

const known: ReadonlySet<string> = new Set([
  ...['model', 'tools', 'system', 'prompt', 'messages', 'injected', 'toolChoice', 'limits', 'atLimit'],
  ...[
    'stopWhen',
    'signal',
    'toolTimeout',
    'concurrency',
    'repair',
    'coerce',
    'editable',
    'approve',
    'approvalTimeout',
    'approvalRules',
  ],
  ...[
    'approvalMemory',
    'prepareStep',
    'cache',
    'tokens',
    'replyRetries',
    'approvals',
    'approvalKey',
    'answers',
    'journal',
    'runId',
    'output',
    'prices',
    'on',
    'clock',
  ],
  ...[
    'maxOutputTokens',
    'temperature',
    'topP',
    'seed',
    'stop',
    'reasoning',
    'providerOptions',
    'parallelCalls',
  ],
]);

const limits = ['steps', 'calls', 'callsPerTool', 'tokens', 'cost', 'time'];

/** What other libraries call it. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ maxSteps: 'limits.steps', maxIterations: 'limits.steps', maxTurns: 'limits.steps' },
  ...{ maxTokens: 'maxOutputTokens', max_tokens: 'maxOutputTokens', tool_choice: 'toolChoice' },
  ...{ abortSignal: 'signal', timeout: 'limits.time', instructions: 'system', input: 'prompt' },
  ...{ onEvent: 'on', context: 'injected' },
};

/** A limit that is spelled wrong would be no limit. What is not near to any option may be the program's own. */
function checkNames(options: RunOptions): void {
  for (const name of Object.keys(options.limits ?? {})) {
    if (!limits.includes(name))
      throw refusal(`There is no limit on \`${name}\`. There are limits on ${limits.join(', ')}.`);
  }
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const meant = otherWords[name] ?? (name.length > 3 ? nearestNames(name, [...known], 1)[0] : undefined);
    if (meant !== undefined) throw refusal(`A run has no option \`${name}\`. Did you mean \`${meant}\`?`);
  }
}

function refusal(message: string): WhetstoneError {
  return new WhetstoneError('run_option_invalid', message);
}

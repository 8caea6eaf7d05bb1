import { WhetstoneError } from '../../base/host/errors.ts';
import { nearestNames } from '../../base/schema/check/nearest-names.ts';
import type { Timeouts } from './http.ts';
import type { ModelOptions } from './connection.ts';
import type { RetryOptions } from './retry.ts';

type Names<Options> = Readonly<Record<keyof Options, true>>;

const options: Names<ModelOptions> = {
  ...{ apiKey: true, baseUrl: true, headers: true, timeouts: true, retry: true, unfitTools: true },
  ...{ images: true, fetch: true, clock: true, makeId: true },
};
const timeouts: Names<Timeouts> = { connect: true, firstChunk: true, betweenChunks: true, total: true };
const retry: Names<RetryOptions> = { retries: true, firstWait: true, longestWait: true, random: true };

/** What other libraries call it. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ baseURL: 'baseUrl', base_url: 'baseUrl', endpoint: 'baseUrl', url: 'baseUrl', key: 'apiKey' },
  ...{ maxRetries: 'retry.retries', max_retries: 'retry.retries', retries: 'retry.retries' },
  ...{ timeout: 'timeouts.total', defaultHeaders: 'headers' },
};

const ofRequests = ['temperature', 'topP', 'seed', 'stop', 'maxOutputTokens', 'reasoning', 'providerOptions'];

/** Refuses what means nothing: a base URL that is spelled wrong would send prompt and key to the provider itself. */
export function checkModelOptions(given: ModelOptions): void {
  refuseUnknown('A model', given, options);
  refuseUnknown('`timeouts` of a model', given.timeouts ?? {}, timeouts);
  refuseUnknown('`retry` of a model', given.retry ?? {}, retry);
}

function refuseUnknown(whose: string, given: object, known: Readonly<Record<string, true>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (name in known || value === undefined) continue;
    const names = Object.keys(known);
    const meant = otherWords[name] ?? nearestNames(name, names, 1)[0];
    const remedy = ofRequests.includes(name)
      ? `It belongs to each request, as in run({ model, ${name} }).`
      : `${meant === undefined ? '' : `Did you mean \`${meant}\`? `}Known: ${names.join(', ')}.`;
    throw new WhetstoneError('model_option_invalid', `${whose} has no option \`${name}\`. ${remedy}`, {
      details: { option: name },
    });
  }
}

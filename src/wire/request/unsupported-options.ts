import type { ModelRequest } from '../../base/message/model.ts';
import type { RequestReport } from '../adapter.ts';

/** What an API may have no word for. `tokenIds`: it tells how likely tokens are, and nothing else of them. */
export type Lack = 'parallelCalls' | 'seed' | 'stop' | 'tokens' | 'tokenIds';

/** What of a request stays unsaid, by what its API lacks. */
export function unsupportedOptions(
  request: ModelRequest,
  name: string,
  lacks: readonly Lack[],
): readonly RequestReport[] {
  return lacks
    .filter((lack) => isAsked[lack](request))
    .map((lack) => ({
      field: lack === 'tokenIds' ? 'tokens' : lack,
      message: `${name} ${sentences[lack]}`,
    }));
}

const asksForIds = ({ tokens }: ModelRequest): boolean =>
  tokens?.ids === true || tokens?.promptLogprobs !== undefined;

const isAsked: Readonly<Record<Lack, (request: ModelRequest) => boolean>> = {
  parallelCalls: ({ parallelCalls }) => parallelCalls === false,
  seed: ({ seed }) => seed !== undefined,
  stop: ({ stop }) => stop !== undefined,
  tokens: (request) => asksForIds(request) || (request.tokens?.logprobs ?? false) !== false,
  tokenIds: asksForIds,
};

const sentences: Readonly<Record<Lack, string>> = {
  parallelCalls: 'cannot be held to one call at a time.',
  seed: 'takes no seed; it is not sent.',
  stop: 'takes no stop sequences; they are not sent.',
  tokens: 'tells nothing of single tokens; vllm does.',
  tokenIds: 'tells no ids of tokens and nothing of the prompt’s; vllm does.',
};

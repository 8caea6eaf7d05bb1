import { createReadStream } from 'node:fs';

import { WhetstoneError } from '../../base/host/errors.ts';
import { readLines } from '../../base/json/read-lines.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import type { Reply } from '../../base/message/model.ts';
import { numberAt, numbersAt, textAt } from './fields.ts';
import type { ReplyTokens } from './trajectory.ts';

/** The tokens of a reply as a line of JSON; undefined where the provider told none. */
export function tokenLine(
  episode: string,
  reply: number,
  { tokens, by }: Pick<Reply, 'tokens' | 'by'>,
): JsonObject | undefined {
  if (tokens?.ids === undefined && tokens?.logprobs === undefined) return undefined;
  const { ids, promptIds, logprobs } = tokens;
  return {
    episode_id: episode,
    reply,
    ...(promptIds && { prompt_token_ids: promptIds }),
    ...(ids && { token_ids: ids }),
    ...(logprobs && { logprobs: logprobs.map(({ logprob }) => logprob) }),
    ...(by !== undefined && { policy_version: by }),
  };
}

/** The tokens in a file of such lines, by episode. */
export async function readTokenLines(path: string): Promise<ReadonlyMap<string, readonly ReplyTokens[]>> {
  const found = new Map<string, ReplyTokens[]>();
  let number = 0;
  for await (const text of readLines(createReadStream(path))) {
    number += 1;
    if (text.trim() === '') continue;
    const line = objectIn(text);
    const episode = line && textAt(line, 'episode_id');
    const reply = line && numberAt(line, 'reply');
    if (line === undefined || episode === undefined || reply === undefined)
      throw new WhetstoneError(
        'log_unreadable',
        `Line ${number} of ${path} has no tokens: it should be an object with "episode_id" and "reply", as \`whet run --tokens\` writes it.`,
      );
    const promptIds = numbersAt(line, 'prompt_token_ids');
    const ids = numbersAt(line, 'token_ids');
    const logprobs = numbersAt(line, 'logprobs');
    const mask = numbersAt(line, 'mask');
    const policyVersion = textAt(line, 'policy_version');
    const list = found.get(episode) ?? [];
    found.set(episode, list);
    list.push({
      reply,
      ...(promptIds && { promptIds }),
      ...(ids && { ids }),
      ...(logprobs && { logprobs }),
      ...(mask && { mask }),
      ...(policyVersion !== undefined && { policyVersion }),
    });
  }
  return found;
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import type { JsonObject } from '../base/json/value.ts';
import type { ReplyTokens, TokenLogprob } from '../base/message/model.ts';
import { omitUndefined, listOf, numberOf, objectsOf, textOf } from './json-fields.ts';

type Tokens = { -readonly [Field in keyof ReplyTokens]: ReplyTokens[Field] };

/** What came of the tokens so far and what came after: lists go on where they ended. */
export class TokensSoFar {
  readonly #lists: { readonly [Field in keyof ReplyTokens]-?: NonNullable<ReplyTokens[Field]>[number][] } = {
    ids: [],
    promptIds: [],
    logprobs: [],
    promptLogprobs: [],
  };

  add(more: ReplyTokens): void {
    for (const field of fields) {
      const list = this.#lists[field] as unknown[];
      // The prompt is told once, or again with each choice.
      if (field.startsWith('prompt') && list.length > 0) continue;
      for (const each of more[field] ?? []) list.push(each);
    }
  }

  /** Undefined where nothing has come. */
  get all(): ReplyTokens | undefined {
    const filledLists: Tokens = {};
    for (const field of fields)
      if (this.#lists[field].length > 0) filledLists[field] = this.#lists[field] as never;
    return Object.keys(filledLists).length > 0 ? filledLists : undefined;
  }
}

const fields = ['ids', 'promptIds', 'logprobs', 'promptLogprobs'] as const;

/** `{token, logprob, bytes?, top_logprobs?}`, as Chat Completions, Responses and Ollama list them. */
export function readLogprobs(list: unknown): readonly TokenLogprob[] {
  return objectsOf(list).map((entry) => {
    const top = objectsOf(entry['top_logprobs']).map(readToken);
    return top.length > 0 ? { ...readToken(entry), top } : readToken(entry);
  });
}

function readToken(entry: JsonObject): Omit<TokenLogprob, 'top'> {
  const token = textOf(entry['token']) ?? '';
  const bytes = listOf(entry['bytes']).filter((byte) => typeof byte === 'number');
  // vLLM writes ids in place of the text where `return_tokens_as_token_ids` asks for them.
  const id = /^token_id:(\d+)$/.exec(token)?.[1];
  return omitUndefined({
    token,
    // vLLM's own number for what it does not know.
    logprob: numberOf(entry['logprob']) ?? -9999,
    id: id === undefined ? undefined : Number(id),
    bytes: bytes.length > 0 ? bytes : undefined,
  });
}

/** How Chat Completions and Ollama are asked. */
export function writeLogprobs(wanted: boolean | number = false): JsonObject {
  if (wanted === false) return {};
  return { logprobs: true, ...(wanted === true ? {} : { top_logprobs: wanted }) };
}

/** Gemini lists what was chosen and what else was likely separately. */
export function readLogprobsResult(result: JsonObject): readonly TokenLogprob[] {
  const top = objectsOf(result['topCandidates']);
  return objectsOf(result['chosenCandidates']).map((chosen, index) => {
    const others = objectsOf(top[index]?.['candidates']).map(readCandidate);
    return others.length > 0 ? { ...readCandidate(chosen), top: others } : readCandidate(chosen);
  });
}

function readCandidate(candidate: JsonObject): Omit<TokenLogprob, 'top'> {
  return omitUndefined({
    token: textOf(candidate['token']) ?? '',
    logprob: numberOf(candidate['logProbability']) ?? -9999,
    id: numberOf(candidate['tokenId']),
  });
}

export function readIds(list: unknown): readonly number[] {
  return listOf(list).filter((id) => typeof id === 'number');
}

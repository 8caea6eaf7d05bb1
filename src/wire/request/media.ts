import type { Message } from '../../base/message/message.ts';
import type {
  DocumentPart,
  ImagePart,
  OtherPart,
  ResultPart,
  TextPart,
  UserPart,
} from '../../base/message/part.ts';
import type { RequestReport } from '../adapter.ts';

/** Which files an API takes, by media type; what is not named here it takes all, or tells in words by itself. */
interface MediaRules {
  readonly images?: RegExp;
  readonly documents?: RegExp;
}

const commonImages = /^image\/(?:png|jpe?g|gif|webp)$/;
const noMedia = /^(?!audio\/|video\/|image\/)/;

const rulesOf: Readonly<Record<string, MediaRules>> = {
  anthropic: { images: commonImages, documents: /^application\/pdf$/ },
  'bedrock-converse': {
    images: commonImages,
    documents:
      /^(?:application\/(?:pdf|msword|vnd\.ms-excel|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|spreadsheetml\.sheet))|text\/(?:plain|csv|html|markdown))$/,
  },
  mistral: { documents: noMedia },
  'openai-chat': { images: commonImages, documents: noMedia },
  'openai-responses': { images: commonImages, documents: noMedia },
};

/** Why a part as only its API knows it is refused all the same, by this model say. */
export type RefusePart = (part: OtherPart) => string | undefined;

/**
 * A message without the files that the API refuses: a text is told as text, of anything else it is told that it
 * stood there. The rest of the message goes on; what was left out is reported.
 */
export function fitMedia(
  message: Message,
  api: string,
  refusePart: RefusePart | undefined,
  reports: RequestReport[],
): Message {
  const rules = rulesOf[api];
  const fit = <Part extends UserPart | ResultPart>(part: Part): Part => {
    const why = part.type === 'other' ? ownRefusal(part, api, refusePart) : refusal(part, rules);
    if (why === undefined) return part;
    if (part.type === 'document' && isText(part)) return asText(part) as Part;
    reports.push({ field: 'messages', message: `${api} takes no ${why}; it is told in words.` });
    const title = part.type === 'document' && part.title !== undefined ? `${part.title}, ` : '';
    return { type: 'text', text: `[${title}${why}: not shown]` } as Part;
  };
  if (message.role === 'tool') {
    const results = changed(message.results, (result) => {
      const content = changed(result.content, fit);
      return content === result.content ? result : { ...result, content };
    });
    return results === message.results ? message : { ...message, results };
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const content = changed(message.content, fit);
  return content === message.content ? message : { ...message, content };
}

function ownRefusal(part: OtherPart, api: string, refuse: RefusePart | undefined): string | undefined {
  return part.api === api ? refuse?.(part) : undefined;
}

function refusal(
  part: TextPart | ImagePart | DocumentPart,
  rules: MediaRules | undefined,
): string | undefined {
  if (part.type === 'text') return undefined;
  const taken = part.type === 'image' ? rules?.images : rules?.documents;
  if (part.source.kind !== 'base64' || taken === undefined || taken.test(part.source.mediaType))
    return undefined;
  return `${part.type} of the type ${part.source.mediaType}`;
}

function isText({ source }: DocumentPart): boolean {
  return (
    source.kind === 'base64' &&
    /^text\/|^application\/(?:json|xml|yaml)$|\+(?:json|xml)$/.test(source.mediaType)
  );
}

function asText(part: DocumentPart): DocumentPart {
  const { source } = part;
  if (source.kind !== 'base64') return part;
  const text = Buffer.from(source.data, 'base64').toString();
  return { ...part, source: { kind: 'text', text } };
}

/** The list itself where nothing changes. */
function changed<Item>(list: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const next = list.map(change);
  return next.every((item, index) => item === list[index]) ? list : next;
}

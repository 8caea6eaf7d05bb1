import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Call } from './call.ts';
import { expectObjects } from './expect.ts';

/** What a provider wants back unchanged, by the name of the API that gave it: `{anthropic: {signature}}`. */
export type ProviderData = Readonly<Record<string, JsonObject>>;

interface PartBase {
  readonly providerData?: ProviderData;
}

export interface TextPart extends PartBase {
  readonly type: 'text';
  readonly text: string;
  /** Speaks about an image: left out when the model cannot see. */
  readonly linkedToImage?: boolean;
}

/** Bytes as base64 with their media type, or an address. */
export type Source =
  | { readonly kind: 'base64'; readonly data: string; readonly mediaType: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string };

export interface ImagePart extends PartBase {
  readonly type: 'image';
  readonly source: Source;
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
}

export interface DocumentPart extends PartBase {
  readonly type: 'document';
  readonly source: Source | { readonly kind: 'text'; readonly text: string };
  readonly title?: string;
}

/** What the model thought; the opaque state a provider wants back is in `providerData`. */
export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning';
  readonly text: string;
  /** The provider gives no readable text, only opaque state. */
  readonly redacted?: boolean;
}

export interface RefusalPart extends PartBase {
  readonly type: 'refusal';
  readonly text: string;
}

/** The outcome of a call that the provider ran itself (a call with `requiresLocalExecution: false`). */
export interface HostedResultPart extends PartBase {
  readonly type: 'hosted-result';
  readonly callId: string;
  readonly name: string;
  readonly content: JsonValue;
  readonly isError?: boolean;
}

/** A block that no other part can say; goes back to the API it came from, and nowhere else. */
export interface OtherPart extends PartBase {
  readonly type: 'other';
  readonly api: string;
  readonly raw: JsonObject;
}

export type SystemPart = TextPart | OtherPart;
export type UserPart = TextPart | ImagePart | DocumentPart | OtherPart;
export type ResultPart = TextPart | ImagePart | DocumentPart | OtherPart;
export type AssistantPart =
  | TextPart
  | ImagePart
  | ReasoningPart
  | RefusalPart
  | Call
  | HostedResultPart
  | OtherPart;

/** Text as a part of a message. */
export function textPart(value: string): TextPart {
  return { type: 'text', text: value };
}

/** An image from its address, or from base64 with a media type. */
export function imagePart(
  source: string | { readonly data: string; readonly mediaType: string },
  detail?: NonNullable<ImagePart['detail']>,
): ImagePart {
  const from: Source =
    typeof source === 'string' ? { kind: 'url', url: source } : { kind: 'base64', ...source };
  return detail === undefined ? { type: 'image', source: from } : { type: 'image', source: from, detail };
}

/** The parts without what a model that cannot see cannot read: images, and the words that speak about them. */
export function withoutImages<Part extends { readonly type: string }>(
  parts: readonly Part[],
): readonly Part[] {
  expectObjects(parts, 'parts');
  const seen = parts.filter(
    (part) => part.type !== 'image' && !('linkedToImage' in part && part.linkedToImage),
  );
  return seen.length === parts.length ? parts : seen;
}

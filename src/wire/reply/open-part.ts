import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { readArgumentsText } from '../../base/message/arguments.ts';
import type { Call } from '../../base/message/call.ts';
import type { AssistantPart } from '../../base/message/part.ts';
import { omitUndefined, parseJson } from '../json-fields.ts';
import { providerData } from '../provider-data.ts';
import type { FreeText } from './free-text.ts';

/** What has come of one part of a reply. */
export interface OpenPart {
  readonly slot: number;
  readonly kind: 'text' | 'reasoning' | 'refusal' | 'call' | 'part';
  text: string;
  id: string;
  name: string;
  callKind: Call['kind'];
  local: boolean;
  announced: boolean;
  ended: boolean;
  done: boolean;
  redacted: boolean;
  /** The arguments came in one message, not in pieces. */
  atOnce: boolean;
  wireId: string;
  /** The tool takes free text, and the API has only functions. */
  free?: FreeText;
  whole?: JsonObject | undefined;
  data?: JsonObject;
}

export function openPart(slot: number, kind: OpenPart['kind']): OpenPart {
  return {
    slot,
    kind,
    text: '',
    id: '',
    wireId: '',
    name: '',
    callKind: 'function',
    local: true,
    announced: false,
    ended: false,
    done: false,
    redacted: false,
    atOnce: false,
  };
}

/** A proper beginning of an object's JSON never parses, so text that parses now cannot have more to come. */
export function isSurelyWhole(part: OpenPart): boolean {
  if (part.callKind === 'custom') return part.ended;
  if (part.whole !== undefined) return true;
  if (part.text === '') return part.ended;
  return part.text.trimEnd().endsWith('}') && isJsonObject(parseJson(part.text));
}

/** The call as it is so far, and why it cannot be run: `cut` says that more of it should have come. */
export function callOf(part: OpenPart, api: string, cut: boolean): Call {
  return omitUndefined({
    type: 'call' as const,
    id: part.id,
    name: part.name,
    arguments: part.whole ?? part.text,
    kind: part.callKind,
    requiresLocalExecution: part.local,
    invalid: cut ? truncated : invalidity(part),
    idMadeUp: part.wireId === '' || undefined,
    wireId: part.wireId === '' || part.wireId === part.id ? undefined : part.wireId,
    providerData: providerData(api, part.data),
  });
}

const truncated = {
  reason: 'truncated',
  message: 'The reply broke off inside this call, so it was not run.',
} as const;

function invalidity(part: OpenPart): Call['invalid'] {
  if (part.callKind === 'custom' || part.whole !== undefined) return undefined;
  const reading = readArgumentsText(part.text);
  return reading.ok ? undefined : { reason: reading.reason, message: reading.message };
}

/** Words or thoughts as a part; undefined where there are none. */
export function wordsOf(part: OpenPart, api: string): AssistantPart | undefined {
  if (part.text === '' && part.data === undefined && !part.redacted) return undefined;
  return omitUndefined({
    type: part.kind as 'text' | 'reasoning' | 'refusal',
    text: part.text,
    redacted: part.redacted || undefined,
    providerData: providerData(api, part.data),
  });
}

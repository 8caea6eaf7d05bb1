import { WhetstoneError } from '../host/errors.ts';
import { randomId } from '../host/random.ts';
import { readArgumentsText } from './arguments.ts';
import type { Call } from './call.ts';
import { isWhole } from './partial-message.ts';
import type { PartialCall, PartialMessage, PartialPart, PartialText } from './partial-message.ts';
import type { AssistantMessage } from './message.ts';
import type { AssistantPart, ReasoningPart, RefusalPart, TextPart } from './part.ts';
import { expectObject, expectObjects, expectText } from './expect.ts';

export interface CompleteOptions {
  /** The reply broke off, or ended in a way that cuts calls: those not ended are marked as truncated. */
  readonly cut?: boolean;
}

/**
 * A partial message, call or text as a whole one. To complete is to say that nothing more comes: only who has heard that from the provider may
 * leave out `cut`. Arguments stay as they were written; a call that cannot be run says why in `invalid`.
 */
export function completePartial(half: PartialCall, options?: CompleteOptions): Call;
export function completePartial(
  half: PartialText,
  options?: CompleteOptions,
): TextPart | ReasoningPart | RefusalPart;
export function completePartial(half: PartialMessage, options?: CompleteOptions): AssistantMessage;
export function completePartial(
  half: PartialCall | PartialText | PartialMessage,
  given: CompleteOptions = {},
): AssistantPart | AssistantMessage {
  const options = given ?? {};
  expectObject(half, 'half');
  if (!('role' in half)) return half.type === 'call' ? completeCall(half, options) : completeText(half);
  expectObjects(half.content, 'half.content');
  const { content, ...rest } = half;
  return {
    ...rest,
    content: content
      .filter((part) => isWorthKeeping(part, options))
      .map((part) => completePart(part, options)),
  };
}

/** Providers refuse empty texts, and a call that broke off before its name came names nothing. */
function isWorthKeeping(part: PartialPart, options: CompleteOptions): boolean {
  if (part.type === 'call') return Boolean(part.name) || options.cut !== true;
  return isWhole(part) || part.text !== '' || part.providerData !== undefined || part.redacted === true;
}

function completePart(part: PartialPart, options: CompleteOptions): AssistantPart {
  if (part.type === 'call') return completeCall(part, options);
  if (!isWhole(part)) return completeText(part);
  const { slot: _slot, ...whole } = part;
  return whole;
}

function completeText({
  type,
  text,
  redacted,
  providerData,
}: PartialText): TextPart | ReasoningPart | RefusalPart {
  expectText(text, 'half.text');
  return {
    type,
    text,
    ...(type === 'reasoning' && redacted !== undefined ? { redacted } : undefined),
    ...(providerData === undefined ? undefined : { providerData }),
  };
}

function completeCall(half: PartialCall, options: CompleteOptions): Call {
  const { slot: _slot, argumentsText, argumentsObject, ended, ...fields } = half;
  expectText(argumentsText, 'half.argumentsText');
  if (!half.name) {
    throw new WhetstoneError(
      'half_incomplete',
      'A call cannot be completed before its name has come. Merge the rest first, or complete its message with { cut: true }.',
      { details: { half } },
    );
  }
  const invalid = whyInvalid(half, options.cut === true && ended !== true);
  return {
    ...fields,
    ...(half.id ? { id: half.id } : { id: randomId('call'), idMadeUp: true }),
    name: half.name,
    arguments: argumentsText === '' && argumentsObject !== undefined ? argumentsObject : argumentsText,
    kind: half.kind ?? 'function',
    requiresLocalExecution: half.requiresLocalExecution ?? true,
    ...(invalid === undefined ? undefined : { invalid }),
  };
}

function whyInvalid(half: PartialCall, truncated: boolean): Call['invalid'] {
  if (truncated) {
    return {
      reason: 'truncated',
      message: 'The reply broke off before this call was complete, so it was not run.',
    };
  }
  if (half.kind === 'custom' || (half.argumentsObject !== undefined && half.argumentsText === ''))
    return undefined;
  const reading = readArgumentsText(half.argumentsText);
  return reading.ok ? undefined : { reason: reading.reason, message: reading.message };
}

import { readArguments } from '../../../base/message/arguments.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Reply } from '../../../base/message/model.ts';
import type { ProviderData } from '../../../base/message/part.ts';
import { resultText } from '../../../base/message/result.ts';
import type { RunEvent } from '../../loop/event.ts';
import type { Outcome } from '../../loop/outcome.ts';
import type { ApprovalRequest, CallRecord } from '../../tool/call/call-record.ts';
import type { UIChunk } from './chunk.ts';

/** Turns the events of one run into chunks; it knows which texts are open. */
export class ChunkWriter {
  readonly #messageId: string | undefined;
  /** Texts and reasoning by their slot. */
  #open = new Map<number, { readonly id: string; readonly kind: 'text' | 'reasoning' }>();
  #step = 0;

  constructor(messageId: string | undefined) {
    this.#messageId = messageId;
  }

  write(event: RunEvent): readonly UIChunk[] {
    switch (event.type) {
      case 'run-start':
        return [{ type: 'start', ...(this.#messageId !== undefined && { messageId: this.#messageId }) }];
      case 'step-start':
        this.#step = event.step;
        return [{ type: 'start-step' }];
      case 'text':
      case 'refusal':
        return this.#words('text', event.slot, event.text);
      case 'reasoning':
        return this.#words('reasoning', event.slot, event.text);
      case 'call-start':
        return [{ type: 'tool-input-start', toolCallId: event.id, toolName: event.name, ...executed(event) }];
      case 'call-delta':
        return [{ type: 'tool-input-delta', toolCallId: event.id, inputTextDelta: event.text }];
      case 'call-end':
        return [inputOf(event.call)];
      case 'reply':
        return this.#close(event.reply);
      case 'approval':
        return [
          {
            type: 'tool-approval-request',
            toolCallId: event.request.callId,
            approvalId: approvalId(event.request),
          },
        ];
      case 'progress':
        return [
          {
            type: 'tool-output-available',
            toolCallId: event.callId,
            output: event.progress,
            preliminary: true,
          },
        ];
      case 'note': {
        const { callId, name, on, note } = event;
        const said = typeof note === 'string' ? { label: note } : note;
        return [{ type: 'data-note', id: `${callId}-${on}`, data: { callId, name, on, ...said } }];
      }
      case 'result':
        return outputOf(event.record);
      case 'step-end':
        return [{ type: 'finish-step' }];
      case 'finish':
        return ending(event.outcome);
      default:
        return [];
    }
  }

  #words(kind: 'text' | 'reasoning', slot: number, delta: string): readonly UIChunk[] {
    const known = this.#open.get(slot);
    const id = known?.id ?? `${this.#step}-${slot}`;
    this.#open.set(slot, { id, kind });
    const more: UIChunk = { type: `${kind}-delta`, id, delta };
    return known === undefined ? [{ type: `${kind}-start`, id }, more] : [more];
  }

  /** A reply is whole: its texts end, each with what its provider wants back. */
  #close({ message }: Reply): readonly UIChunk[] {
    const chunks: UIChunk[] = [];
    const open = [...this.#open.values()];
    this.#open = new Map();
    for (const [index, part] of message.content.entries()) {
      if (part.type === 'hosted-result')
        chunks.push({
          type: 'tool-output-available',
          toolCallId: part.callId,
          output: part.content,
          providerExecuted: true,
        });
      if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'refusal') continue;
      const kind = part.type === 'reasoning' ? 'reasoning' : 'text';
      const at = part.text === '' ? -1 : open.findIndex((each) => each.kind === kind);
      const id = open[at]?.id ?? `${this.#step}-closed-${index}`;
      // What was never told in words may still be wanted back.
      if (at < 0 && part.providerData === undefined) continue;
      if (at < 0) chunks.push({ type: `${kind}-start`, id });
      else open.splice(at, 1);
      chunks.push({ type: `${kind}-end`, id, ...metadata(part.providerData) });
    }
    for (const { id, kind } of open) chunks.push({ type: `${kind}-end`, id });
    return chunks;
  }
}

function inputOf(call: Call): UIChunk {
  const reading = readArguments(call);
  const about = { toolCallId: call.id, toolName: call.name, ...executed(call) };
  if (call.invalid !== undefined)
    return { type: 'tool-input-error', ...about, input: call.arguments, errorText: call.invalid.message };
  const input = call.kind === 'custom' || !reading.ok ? call.arguments : reading.value;
  return { type: 'tool-input-available', ...about, input, ...metadata(call.providerData) };
}

function outputOf({ call, result, success, value, waitsFor }: CallRecord): readonly UIChunk[] {
  if (waitsFor !== undefined) return [];
  const { id: toolCallId } = call;
  if (success) {
    const text = resultText(result);
    // Where the model read something else than the bare value (a cut text, words for nothing), it is shown what it read.
    const isBare = typeof value === 'object' && value !== null && JSON.stringify(value) === text;
    return [{ type: 'tool-output-available', toolCallId, output: isBare ? value : text }];
  }
  if (result.errorCode === 'rejected') return [{ type: 'tool-output-denied', toolCallId }];
  return [{ type: 'tool-output-error', toolCallId, errorText: resultText(result) }];
}

const reasons: Readonly<Record<string, string>> = {
  ...{ done: 'stop', returned: 'stop', waiting: 'tool-calls', length: 'length' },
  ...{ filter: 'content-filter', refusal: 'content-filter', error: 'error' },
};

function ending({ stop }: Outcome): readonly UIChunk[] {
  if (stop === 'aborted') return [{ type: 'abort' }];
  // The error is told by itself.
  if (stop === 'error') return [];
  return [{ type: 'finish', finishReason: reasons[stop] ?? 'other' }];
}

/** An approval is for these arguments: what comes back must say for which it was given. */
function approvalId({ hash, token }: ApprovalRequest): string {
  return token === undefined ? hash : `${hash}.${token}`;
}

function executed({ requiresLocalExecution }: { readonly requiresLocalExecution: boolean }): {
  readonly providerExecuted?: boolean;
} {
  return requiresLocalExecution ? {} : { providerExecuted: true };
}

function metadata(data: ProviderData | undefined): { readonly providerMetadata?: ProviderData } {
  return data === undefined ? {} : { providerMetadata: data };
}

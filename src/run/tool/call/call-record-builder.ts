import type { Call } from '../../../base/message/call.ts';
import { errorResult } from '../../../base/message/result.ts';
import type { Result } from '../../../base/message/result.ts';
import type { ApprovalMade, ApprovalRequest, CallErrorCode, CallRecord } from './call-record.ts';
import type { ArgumentChange, Note, NoteTime, ToolFailure } from '../contract.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import type { RunCallOptions } from './run-call.ts';

interface Ending {
  readonly input?: unknown;
  readonly approval?: ApprovalMade | undefined;
  readonly timing?: { readonly startedAt: number; readonly durationMs: number };
  readonly cause?: unknown;
  readonly whole?: string;
  readonly value?: unknown;
  /** Set where the tool was running: it may have a note for the failure. */
  readonly tool?: PreparedTool;
}

/** What is gathered on the way of one call until its record is written. Each ending is written once. */
export class CallRecordBuilder {
  readonly call: Call;
  readonly #options: RunCallOptions;
  #notes: Note[] = noNotes;
  #changes: readonly ArgumentChange[] | undefined;
  #preface = '';

  constructor(call: Call, options: RunCallOptions) {
    this.call = call;
    this.#options = options;
  }

  changed(changes: readonly ArgumentChange[]): void {
    if (changes.length === 0) return;
    this.#changes = changes;
    this.#options.on?.({ type: 'changes', changes }, this.call);
  }

  note(on: NoteTime, note: Note | undefined): void {
    if (note === undefined) return;
    if (this.#notes === noNotes) this.#notes = [];
    this.#notes.push(note);
    this.#options.on?.({ type: 'note', on, note }, this.call);
  }

  /** Something that the model must read before the result. */
  tell(text: string): void {
    this.#preface = text;
  }

  /** The call was not run, and the model is told why. */
  refuse(code: CallErrorCode, text: string, cause?: unknown): CallRecord {
    return this.fail(code, text, cause === undefined ? {} : { cause });
  }

  fail(code: CallErrorCode, text: string, ending: Ending): CallRecord {
    const { timing, tool } = ending;
    if (tool !== undefined) {
      const failure = { code, message: text, cause: ending.cause };
      this.note('failure', noteFor(tool, 'noteOnFailure', ending.input, failure));
    }
    return this.done({ ...errorResult(this.call, code, text), ...timing }, false, ending);
  }

  /** The call waits for someone outside; until then its result is a stand-in, so that the history stays whole. */
  wait(
    waitsFor: 'approval' | 'client',
    input: unknown,
    approval: ApprovalMade | undefined,
    request?: ApprovalRequest,
  ): CallRecord {
    const code = waitsFor === 'approval' ? 'needs_approval' : 'needs_client';
    const text =
      waitsFor === 'approval'
        ? 'This call waits for a person to approve it. It was not run.'
        : 'This call was handed to the program that asked for it. Its answer is not here yet.';
    const record = this.done(errorResult(this.call, code, text), false, { input, approval });
    return { ...record, waitsFor, ...(request && { request }) };
  }

  done(result: Result, success: boolean, ending: Ending): CallRecord {
    const { input, approval, cause, whole, value } = ending;
    return {
      call: this.call,
      step: this.#options.step ?? 1,
      result: this.#preface === '' ? result : withPreface(this.#preface, result),
      success,
      notes: this.#notes,
      ...(input !== undefined && { input }),
      ...(value !== undefined && { value }),
      ...(this.#changes !== undefined && { changes: this.#changes }),
      ...(approval !== undefined && { approval }),
      ...(cause !== undefined && { cause }),
      ...(whole !== undefined && { whole }),
    };
  }
}

const noNotes: Note[] = [];

function withPreface(text: string, result: Result): Result {
  return { ...result, content: [{ type: 'text', text }, ...result.content] };
}

type NoteKind = 'noteOnRequest' | 'noteOnResult' | 'noteOnFailure';

/** What a tool says to a person of a call. A note that throws, or is none, says so and harms nothing else. */
export function noteFor(
  tool: PreparedTool,
  kind: NoteKind,
  input: unknown,
  other?: unknown,
): Note | undefined {
  if (tool.tool[kind] === undefined) return undefined;
  try {
    const said: unknown = ask(tool, kind, input, other);
    if (said === undefined || said === null) return undefined;
    if (isNote(said)) return said;
    // Nobody waits for a note. One that is promised and then fails must not end the process.
    if (said instanceof Promise) said.catch(() => undefined);
    return { label: tool.name, detail: `${kind} answered with no note: ${wanted}.` };
  } catch (error) {
    return {
      label: tool.name,
      detail: `${kind} threw: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function ask({ tool }: PreparedTool, kind: NoteKind, input: unknown, other: unknown): Note | undefined {
  if (kind === 'noteOnRequest') return tool.noteOnRequest?.(input as never);
  if (kind === 'noteOnResult') return tool.noteOnResult?.(input as never, other as never);
  return tool.noteOnFailure?.(input as never, other as ToolFailure);
}

const wanted = 'it is a text, or { label, detail } of texts, and given at once';

/** Tools in JavaScript may answer with anything, and a note is shown by its label. */
function isNote(said: unknown): said is Note {
  if (typeof said === 'string') return true;
  if (typeof said !== 'object' || said === null) return false;
  const { label, detail } = said as { readonly label?: unknown; readonly detail?: unknown };
  return typeof label === 'string' && (detail === undefined || typeof detail === 'string');
}

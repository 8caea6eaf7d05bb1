import { systemClock } from '../../../base/host/clock.ts';
import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import type { Message } from '../../../base/message/message.ts';
import { readMessages } from '../../../base/message/read-message.ts';
import type { Journal } from '../journal/journal.ts';
import { historyIn, recover, type Recovered } from '../journal/recover.ts';
import type { OutputFor, RunOptions, WantedOutput } from '../option/options.ts';
import type { Outcome, StopReason } from '../outcome.ts';
import { keptRun, type Run } from '../run.ts';
import type { ConversationRecord, ConversationStore } from './conversation-store.ts';

/** A run's options without those that the conversation brings itself. */
export type ConversationRunOptions<Wanted extends WantedOutput = WantedOutput> = Omit<
  RunOptions<Wanted>,
  'messages' | 'journal' | 'runId'
>;

export interface ForkOptions {
  /** Made up by default. */
  readonly id?: string;
  /** How many messages it takes along; all by default. */
  readonly at?: number;
  readonly title?: string;
}

/** What the conversations of one store share. */
export interface ConversationRoom {
  readonly store: ConversationStore;
  /** Ids of those that are being answered in this process. */
  readonly answering: Set<string>;
}

/** A history that outlives its process. Each run goes on from it, and is kept when it ends. */
export class Conversation {
  readonly #room: ConversationRoom;
  readonly #journal: Journal;
  #record: ConversationRecord;
  /** The messages that are saved, as JSON. */
  #saved: readonly string[];
  #messages: readonly Message[];
  /** A run that was cut before it could be saved. */
  #cut: Recovered | undefined;

  private constructor(room: ConversationRoom, record: ConversationRecord, saved: readonly string[]) {
    this.#room = room;
    this.#record = record;
    this.#saved = saved;
    this.#messages = readMessages(saved.map((text) => JSON.parse(text) as Message));
    this.#journal = room.store.journal();
  }

  /** Reads what there is of it; `conversations(…).open` is the way in. */
  static async open(room: ConversationRoom, record: ConversationRecord): Promise<Conversation> {
    const saved = record.version === 0 ? [] : await room.store.rows.readMessages(record.id);
    const conversation = new Conversation(room, record, saved);
    await conversation.#lookForCut();
    return conversation;
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): ConversationRecord {
    return this.#record;
  }

  /** The whole history, with what an interrupted run had brought. */
  get messages(): readonly Message[] {
    return this.#cut === undefined ? this.#messages : historyIn(this.#cut);
  }

  /** The process that answered was interrupted. The next run continues, or starts again if it has another prompt. */
  get isInterrupted(): boolean {
    return this.#cut !== undefined;
  }

  /**
   * A run that goes on from this history and is saved before it ends. Without a prompt the model is asked to go on:
   * after an interruption, an error, or with `approvals` and `answers` for what waits.
   */
  run<const Wanted extends WantedOutput = WantedOutput>(
    options: ConversationRunOptions<Wanted>,
  ): Run<OutputFor<Wanted>> {
    const { prompt, system, ...others } = options;
    const cut = this.#cut;
    const goesOn = cut !== undefined && (prompt === undefined || endsWith(cut.start, prompt));
    const left = goesOn || cut === undefined ? undefined : historyIn(cut);
    const messages = withoutSystem(left ?? this.#messages, system);
    const { version } = this.#record;
    const kept = {
      journal: this.#journalOf(left === undefined ? version : version + 1),
      // Approvals are signed for it, so it is the same for all runs of a conversation.
      runId: `conversation:${this.id}`,
    };
    // A run without any words is refused like any other.
    const isEmpty = !goesOn && messages.length === 0 && prompt === undefined;
    return keptRun<Wanted>(
      { ...(goesOn ? others : { ...options, messages }), ...(!isEmpty && kept) } as RunOptions<Wanted>,
      (go) => this.#answer(go, { left, system, now: () => (options.clock ?? systemClock).now() }),
    );
  }

  /** Another conversation that begins with the first messages of this one. */
  async fork({
    id = randomId('chat'),
    at,
    title = this.#record.title,
  }: ForkOptions = {}): Promise<Conversation> {
    const messages = this.messages;
    if (at !== undefined && !(Number.isInteger(at) && at >= 0 && at <= messages.length))
      throw new WhetstoneError(
        'run_option_invalid',
        `A fork cannot begin with ${at} messages: the conversation has ${messages.length}.`,
      );
    const texts = messages.slice(0, at).map((message) => JSON.stringify(message));
    const now = systemClock.now();
    const record: ConversationRecord = {
      ...this.#record,
      id,
      title,
      version: 1,
      messageCount: texts.length,
      stop: texts.length === messages.length ? this.#record.stop : null,
      forkOf: this.id,
      createdAt: now,
      updatedAt: now,
    };
    if (!(await this.#room.store.rows.insert(record, { kept: 0, messages: texts, run: journalId(id, 0) })))
      throw conflict(id, 'it is there already');
    return Conversation.open(this.#room, record);
  }

  async #answer(go: () => Promise<Outcome>, { left, now, system }: Answering): Promise<Outcome> {
    const { answering } = this.#room;
    if (answering.has(this.id)) throw conflict(this.id, 'it is already being answered, in this process');
    answering.add(this.id);
    const save = (messages: readonly Message[], stop: StopReason): Promise<void> =>
      this.#save(withoutSystem(messages, system), { stop, now: now() });
    try {
      await this.#mustBeLatest();
      if (left !== undefined) {
        // A process still at work on the interrupted run can write nothing after this.
        await this.#journal.append(journalId(this.id, this.#record.version), {
          type: 'end',
          at: now(),
          stop: 'aborted',
        });
        await save(left, 'aborted');
      }
      const outcome = await go();
      await save(outcome.messages, outcome.stop);
      return outcome;
    } catch (error) {
      const failed = outcomeIn(error);
      if (failed !== undefined) await save(failed.messages, 'error');
      else await this.#lookForCut().catch(() => undefined);
      throw error;
    } finally {
      answering.delete(this.id);
    }
  }

  /** After each write it looks whether the conversation is still the one that is answered. */
  #journalOf(version: number): Journal {
    const run = journalId(this.id, version);
    return {
      read: () => this.#journal.read(run),
      append: async (_, entry) => {
        try {
          await this.#journal.append(run, entry);
        } catch (error) {
          // It is told by its own name, whether the other one was seen in the journal or in the conversation.
          throw isWhetstoneError(error) && error.code === 'journal_conflict' ? this.#overtaken() : error;
        }
        await this.#mustBeLatest();
      },
    };
  }

  async #lookForCut(): Promise<void> {
    const run = journalId(this.id, this.#record.version);
    this.#cut = recover(run, await this.#journal.read(run));
  }

  async #mustBeLatest(): Promise<void> {
    const stored = await this.#room.store.rows.read(this.id);
    if ((stored?.version ?? 0) !== this.#record.version) throw this.#overtaken();
  }

  #overtaken(): WhetstoneError {
    return conflict(this.id, 'meanwhile somebody else has continued or removed it');
  }

  async #save(
    messages: readonly Message[],
    { stop, now }: { readonly stop: StopReason; readonly now: number },
  ): Promise<void> {
    const texts = messages.map((message) => JSON.stringify(message));
    const different = texts.findIndex((text, index) => text !== this.#saved[index]);
    const kept = different === -1 ? texts.length : different;
    const { version, createdAt } = this.#record;
    const record: ConversationRecord = {
      ...this.#record,
      title: this.#record.title || titleOf(messages),
      version: version + 1,
      messageCount: texts.length,
      stop,
      createdAt: createdAt === 0 ? now : createdAt,
      updatedAt: now,
    };
    const change = { kept, messages: texts.slice(kept), run: journalId(this.id, version) };
    const { rows } = this.#room.store;
    if (!(await (version === 0 ? rows.insert(record, change) : rows.save(record, change))))
      throw this.#overtaken();
    this.#record = record;
    this.#saved = texts;
    this.#messages = messages;
    this.#cut = undefined;
  }
}

interface Answering {
  /** What an interrupted run had brought, where it is not gone on with. */
  readonly left: readonly Message[] | undefined;
  readonly system: string | undefined;
  readonly now: () => number;
}

/** A journal for each version: the same version means the same run. */
export function journalId(id: string, version: number): string {
  return `conversation:${id}:${version}`;
}

/** A system prompt that comes with the options is not part of the history: the next run may come with another. */
function withoutSystem(messages: readonly Message[], system: string | undefined): readonly Message[] {
  return system !== undefined && messages[0]?.role === 'system' ? messages.slice(1) : messages;
}

function endsWith(start: readonly Message[], prompt: NonNullable<RunOptions['prompt']>): boolean {
  const last = start.at(-1);
  return last?.role === 'user' && JSON.stringify(last.content) === JSON.stringify(prompt);
}

const longestTitle = 80;

function titleOf(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role === 'user');
  if (first?.role !== 'user') return '';
  const { content } = first;
  const words =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
  const line = words
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1).toWellFormed()}…`;
}

/** What a run had reached when its model failed. */
function outcomeIn(error: unknown): Outcome | undefined {
  if (!isWhetstoneError(error) || error.code !== 'model_failed') return undefined;
  return error.details?.['outcome'] as Outcome | undefined;
}

function conflict(id: string, why: string): WhetstoneError {
  return new WhetstoneError('conversation_conflict', `The conversation ${JSON.stringify(id)}: ${why}.`, {
    details: { conversation: id },
  });
}

import { systemClock, type Clock } from '../../base/host/clock.ts';
import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { getReady } from '../person/reply.ts';
import { PageStage } from '../play/page/page-stage.ts';
import { playTurn } from '../play/play.ts';
import type { Task } from '../scenario/task.ts';
import type { TaskReference, Transcript, TurnMessage } from '../scenario/transcript.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { addJudgeUsage, noJudgeUsage, type JudgeUsage, type Verdicts } from '../score/verdict.ts';
import type { EpisodeRecord, TurnRecord } from '../store/record.ts';
import type { EpisodeQuery, Store } from '../store/store.ts';
import { decideTurn } from './decide-turn.ts';
import { followAll } from './follow-all.ts';
import { forkEpisode, type Fork } from './fork-episode.ts';
import { hearTurn, type Hearing } from './hearing/hearing.ts';
import type { Judge } from './judge/judge.ts';
import { LiveEpisodes, type LiveEpisode } from './live-episode.ts';
import { maxTurnsOf, newEpisode } from './new-episode.ts';
import type { TurnOutcome } from './outcome.ts';
import type { Caller, CreateRequest, EpisodeOptions, ForkRequest, TurnRequest } from './request.ts';
import type { TaskBook } from './task-book.ts';
import { addTurnUsage } from './usage.ts';
import { TurnQueue } from './turn-queue.ts';
import { Watchers } from './watchers.ts';
import { endOf, gradeTurn, takeTurn, transcriptOf } from './grade-turn.ts';
import { voiceTurn, type Voice } from './voice/voice.ts';
import type { TerminalReason } from '../scenario/play-state.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly tasks: TaskBook;
  readonly clock?: Clock;
  /** How long an open episode may be idle. */
  readonly idleMs?: number;
  /** Finds the words of persons; the rules' own when left out. */
  readonly voice?: Voice;
  /** Hears what is asked for; the rules do when left out. */
  readonly hearing?: Hearing;
  /** Asked when an episode ends, for what only a model can judge; without one it stays not judged. */
  readonly judge?: Judge;
  /**
   * Hears of each turn in which a person's voice failed or a world broke, of each transcript that a judge left without a
   * verdict, and of each time that a scenario could not be played.
   */
  readonly onFault?: (
    who: 'person' | 'judge' | 'world' | 'scenario',
    task: TaskReference,
    message?: string,
  ) => void;
  /** Hears what the verdicts of each transcript took. */
  readonly onJudged?: (usage: JudgeUsage) => void;
}

/** What `create` made, or found made already by the same request. */
export interface Created {
  readonly record: EpisodeRecord;
  readonly repeated: boolean;
}

export interface Submitted {
  readonly record: EpisodeRecord;
  readonly outcome: TurnOutcome;
  readonly repeated: boolean;
}

const day = 86_400_000;

/**
 * Ties scenario, grade and store together. It holds nothing that the store does not: any number of engines may work
 * before one store, and any of them may answer any turn.
 */
export class EpisodeEngine implements AsyncDisposable {
  readonly tasks: TaskBook;
  readonly store: Store;
  readonly clock: Clock;
  /** How long an open episode may be idle, unless its request says otherwise. */
  readonly idleMs: number;
  readonly #judge: Judge | undefined;
  readonly #onFault: NonNullable<EngineOptions['onFault']>;
  readonly #onJudged: NonNullable<EngineOptions['onJudged']>;
  readonly #live: LiveEpisodes;
  readonly #queue = new TurnQueue();
  /** Where worlds that are pages are shown. */
  readonly stage = new PageStage();
  readonly #voice: Voice | undefined;
  readonly #hearing: Hearing | undefined;
  readonly #watchers: Watchers;
  /** What the time of day was ahead of the monotonic clock when this began. */
  readonly #ahead: number;

  constructor(options: EngineOptions) {
    this.store = options.store;
    this.tasks = options.tasks;
    this.clock = options.clock ?? systemClock;
    this.idleMs = options.idleMs ?? day;
    this.#voice = options.voice;
    this.#hearing = options.hearing;
    this.#judge = options.judge;
    this.#onFault = options.onFault ?? (() => undefined);
    this.#onJudged = options.onJudged ?? (() => undefined);
    this.#live = new LiveEpisodes(options.store, options.tasks);
    this.#watchers = new Watchers(this.clock);
    this.#ahead = this.clock.now() - this.clock.monotonic();
  }

  /** Opens an episode. The same request under the same idempotency key or id finds the one it made before. */
  async create(caller: Caller, request: CreateRequest): Promise<Created> {
    const choice = this.tasks.choose(caller, request);
    const task = this.#opened(this.tasks.task(choice));
    await this.stage.mustBeReady(task);
    const before = await this.#createdBefore(caller, request);
    if (before !== undefined) return before;
    const options: EpisodeOptions = {
      scoreTurns: request.scoreTurns,
      explain: caller.explain,
      idleMs: request.idleMs ?? this.idleMs,
      maxTurns: maxTurnsOf(request, task.limits.turns),
      ...(choice.split !== undefined && { split: choice.split }),
    };
    const record = newEpisode(task, { caller, request, options, now: this.clock.now() });
    return this.#insert(caller, request, { task, record });
  }

  /**
   * Opens an episode that begins with the first turns of another, played or under way. They are not played by anybody
   * again, and are graded with the rest as they were. The same request under the same idempotency key finds it again.
   */
  async fork(caller: Caller, id: string, request: ForkRequest): Promise<Created> {
    const live = await this.read(caller, id);
    const task = this.#opened(live.task);
    const before = await this.#createdBefore(caller, request);
    if (before !== undefined) return before;
    const rows = await this.store.readTurns(id);
    const { record, turns } = forkEpisode(live, {
      caller,
      request,
      rows,
      idleMs: this.idleMs,
      now: this.clock.now(),
    });
    return this.#insert(caller, request, { task, record, turns });
  }

  /** Takes one turn: plays, grades, stores; or finds that it was taken before, and answers alike. */
  async submitTurn(caller: Caller, id: string, request: TurnRequest): Promise<Submitted> {
    const arrived = await this.readRecord(caller, id);
    // What was read on arrival is still true when nothing else is in flight.
    let fresh = this.#queue.has(id) ? undefined : arrived;
    return this.#queue.run(id, async () => {
      for (;;) {
        const live = await this.#live.load(fresh ?? (await this.readRecord(caller, id)));
        fresh = undefined;
        const decision = await decideTurn(this.store, live, request, arrived.turnCount);
        if (decision.kind === 'repeat')
          return { record: live.record, outcome: outcomeOf(decision.row), repeated: true };
        if (live.record.expiresAt <= this.#steadyNow()) {
          await this.#end(live, 'client_terminated');
          continue;
        }
        const submitted = await this.#play(live, request, decision.messages, decision.messagesHash);
        if (submitted !== undefined) return submitted;
        // Another server took this turn between our look and our write: look again.
      }
    });
  }

  /** Ends an episode and grades it as it stands; one that is complete already stays as it is. */
  async end(caller: Caller, id: string, reason: TerminalReason): Promise<EpisodeRecord> {
    await this.readRecord(caller, id);
    return this.#queue.run(id, async () => {
      for (;;) {
        const live = await this.#live.load(await this.readRecord(caller, id));
        if (live.record.status === 'complete') return live.record;
        await this.#end(live, reason);
      }
    });
  }

  /** Ends the open episodes that have been idle too long; answers how many. */
  async reap(): Promise<number> {
    const expired = await this.store.expiredEpisodes(this.#steadyNow(), 100);
    // Side by side, so that a judge that is slow holds all of them up no longer than one.
    await Promise.all(
      expired.map(({ id, owner }) =>
        this.#queue.run(id, async () => {
          const record = await this.readRecord({ id: owner, explain: false }, id);
          if (record.status === 'open' && record.expiresAt <= this.#steadyNow())
            await this.#end(await this.#live.load(record), 'client_terminated');
        }),
      ),
    );
    return expired.length;
  }

  /** Keeps an open episode from ending by itself; written at most once in a tenth of its time. */
  async touch(caller: Caller, id: string): Promise<EpisodeRecord> {
    const record = await this.readRecord(caller, id);
    const { idleMs } = JSON.parse(record.options) as EpisodeOptions;
    const until = this.#steadyNow() + idleMs;
    if (record.status === 'open' && until - record.expiresAt > idleMs / 10)
      await this.store.touchEpisode(id, until);
    return record;
  }

  /** The row of an episode of this caller; another's is not found, as if it were not there. */
  async readRecord(caller: Caller, id: string): Promise<EpisodeRecord> {
    const record = await this.store.readEpisode(id);
    if (record === undefined || record.owner !== caller.id)
      throw new WhetstoneError('episode_unknown', `Episode not found: ${id}`, { details: { episode: id } });
    return record;
  }

  /** An episode with its task and its whole transcript. */
  async read(caller: Caller, id: string): Promise<LiveEpisode> {
    return this.#live.load(await this.readRecord(caller, id));
  }

  list(query: EpisodeQuery): Promise<readonly EpisodeRecord[]> {
    return this.store.listEpisodes(query);
  }

  /**
   * The rows of an episode's turns, as they come, from `after` on; ends when the episode has ended. At least once a
   * second it gives something, if only nothing, so that who follows can look whether they still may.
   */
  async *follow(
    caller: Caller,
    id: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<TurnRecord | undefined, EpisodeRecord | undefined> {
    let seen = after;
    while (!signal.aborted) {
      const changed = this.#watchers.changed(id, signal);
      const record = await this.readRecord(caller, id);
      for (const row of await this.store.readTurns(id, seen)) {
        seen = row.turn;
        yield row;
      }
      if (record.status === 'complete' && seen >= record.turnCount) return record;
      await changed;
      yield undefined;
    }
    return undefined;
  }

  /** All episodes of a caller that begin, take a turn or end, as they are then. */
  followAll(caller: Caller, since: number, signal: AbortSignal): AsyncGenerator<EpisodeRecord | undefined> {
    const { store, clock } = this;
    return followAll({ store, clock, watchers: this.#watchers }, { owner: caller.id, since, signal });
  }

  /** The task, unless the questions of its person have a fault: they are read when somebody plays it, and not before. */
  playable(task: Task): Task {
    try {
      task.examples();
    } catch (error) {
      if (isWhetstoneError(error)) this.#onFault('scenario', task.reference, error.message);
      throw error;
    }
    return task;
  }

  /** What the judge says of a transcript, within its time. Of silence there is nothing to say. */
  async verdicts(task: Task, transcript: Transcript): Promise<Verdicts> {
    if (this.#judge === undefined || transcript.turns.length === 0) return {};
    const verdicts = await this.#judge.judge(task, transcript);
    const took = Object.values(verdicts).reduce((sum, { usage }) => addJudgeUsage(sum, usage), noJudgeUsage);
    if (took.calls > 0) this.#onJudged(took);
    if (Object.values(verdicts).some(({ failed }) => failed === true)) this.#onFault('judge', task.reference);
    return verdicts;
  }

  /** Ends the browsers in which worlds were shown. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stage[Symbol.asyncDispose]();
  }

  /** Resolves when all turns in flight are answered. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** The time by which episodes are idle: a time of day that is set forward ends none of them. */
  #steadyNow(): number {
    return Math.round(this.clock.monotonic() + this.#ahead);
  }

  /** The task, where somebody can play its person. */
  #opened(task: Task): Task {
    if (task.person.hearing === 'model' && this.#hearing === undefined)
      throw new WhetstoneError(
        'hearing_missing',
        `The person of ${task.reference.collection}/${task.reference.scenario} is heard by a model, and this server has none. Start it with --hearing provider/model.`,
      );
    return this.playable(task);
  }

  async #insert(
    caller: Caller,
    request: Pick<CreateRequest, 'id' | 'idempotencyKey' | 'hash'>,
    { task, record, turns }: { readonly task: Task } & Pick<Fork, 'record'> & Partial<Fork>,
  ): Promise<Created> {
    const insertion = await this.store.insertEpisode(record, caller.maxEpisodes, turns);
    if (insertion === 'inserted') {
      // A player that opens an episode thinks about its first message: meanwhile the person gets ready.
      setImmediate(getReady, task);
      this.#watchers.tell(record.owner);
      return { record, repeated: false };
    }
    const winner = await this.#createdBefore(caller, request);
    if (winner !== undefined) return winner;
    if (insertion === 'full')
      throw new WhetstoneError(
        'episodes_exhausted',
        `This key has as many open episodes as it may have, ${caller.maxEpisodes}. End some, or wait until they end.`,
        { details: { limit: caller.maxEpisodes } },
      );
    throw new WhetstoneError('episode_unknown', `Episode not found: ${record.id}`, {
      details: { episode: record.id },
    });
  }

  async #createdBefore(
    caller: Caller,
    request: Pick<CreateRequest, 'id' | 'idempotencyKey' | 'hash'>,
  ): Promise<Created | undefined> {
    const record =
      request.id !== undefined
        ? await this.store.readEpisode(request.id)
        : request.idempotencyKey === undefined
          ? undefined
          : await this.store.readEpisodeByKey(caller.id, request.idempotencyKey);
    if (record === undefined || record.owner !== caller.id) return undefined;
    if (record.createdHash === request.hash) return { record, repeated: true };
    throw new WhetstoneError(
      'idempotency_conflict',
      'This idempotency key made an episode from another request. Use a new key for a new request.',
      { details: { episode: record.id } },
    );
  }

  /** Plays, grades and stores the next turn; undefined where another server stored one first. */
  async #play(
    live: LiveEpisode,
    request: TurnRequest,
    messages: readonly TurnMessage[],
    messagesHash: string,
  ): Promise<Submitted | undefined> {
    const { record, options, opening, turns } = live;
    const task = this.playable(live.task);
    const scene = { task, opening, turns, messages };
    const hearing = await hearTurn(this.#hearing, { ...scene, state: live.state });
    const acted = await this.stage.act({ id: record.id, task, turns, state: live.state, messages });
    const byRules = playTurn(task, live.state, messages, { heard: hearing?.heard, acted });
    const played = await voiceTurn(this.#voice, scene, byRules);
    if ((played.voice?.fault ?? hearing?.fault) !== undefined) this.#onFault('person', task.reference);
    if (played.fault) this.#onFault('world', task.reference, played.fault.message);
    const taken = takeTurn(live, messages, played, hearing);
    const { entry, state, transcript } = taken;
    const { outcome, end } = gradeTurn(live, taken, {
      rewardConfig: request.rewardConfig,
      verdicts: transcript.terminalReason === undefined ? {} : await this.verdicts(task, transcript),
      isTest: this.tasks.isTest(record),
    });
    const now = this.clock.now();
    const row: TurnRecord = {
      episode: record.id,
      turn: entry.turn,
      key: request.idempotencyKey ?? null,
      bodyHash: request.hash,
      messagesHash,
      messages: JSON.stringify(messages),
      outcomes: JSON.stringify(entry.outcomes),
      answer: JSON.stringify(outcome),
      at: now,
      usage: request.usage === undefined ? null : JSON.stringify(request.usage),
    };
    const totalUsage = addTurnUsage(record.totalUsage, request.usage, entry.outcomes);
    const stored = await this.store.appendTurn(row, {
      state: JSON.stringify(state),
      expiresAt: this.#steadyNow() + options.idleMs,
      totalUsage,
      ...(end && { end }),
    });
    if (!stored) return undefined;
    const after = this.#live.advance(live, { entry, state, row, totalUsage });
    this.#watchers.tell(record.id, record.owner);
    return { record: after.record, outcome, repeated: false };
  }

  async #end(live: LiveEpisode, reason: TerminalReason): Promise<void> {
    const whole = transcriptOf(live, live.turns, live.state, reason);
    const grade = gradeTranscript(live.task, whole, { verdicts: await this.verdicts(live.task, whole) });
    const { id, turnCount } = live.record;
    await this.store.endEpisode(id, turnCount, endOf(grade, reason), this.clock.now());
    this.#live.forget(id);
    this.#watchers.tell(id, live.record.owner);
  }
}

function outcomeOf(row: TurnRecord): TurnOutcome {
  // Written by `#play`, from a value of this type.
  return JSON.parse(row.answer) as TurnOutcome;
}

import { Worker } from 'node:worker_threads';

import type { Lessons } from '../scenario/examples.ts';
import type { Task } from '../scenario/task.ts';
import type { TranscriptTurn, TurnMessage } from '../scenario/transcript.ts';
import type { RewardConfig } from '../score/grade.ts';
import type { LiveEpisode } from './live-episode.ts';
import { readWorked, type EpisodeAtHand, type TurnTexts, type WorkedTurn } from './work-turn.ts';

/** A turn that the thread is asked to play and to grade. It goes over as JSON, of which a part is there already. */
export interface ThreadWork {
  readonly number: number;
  readonly episode: string;
  /** With its first turn an episode is given; later, the work after which it stands. */
  readonly given?: Omit<EpisodeAtHand, 'task' | 'turns'> & { readonly task: number };
  readonly after?: number;
  readonly messages: readonly TurnMessage[];
  readonly rewardConfig?: RewardConfig;
  readonly isTest: boolean;
}

/** A turn for the thread, and the text of its messages, which its row needs too. */
export interface TurnForThread {
  readonly messages: readonly TurnMessage[];
  readonly messagesText: string;
  readonly rewardConfig: RewardConfig | undefined;
  readonly isTest: boolean;
}

/** A task without its functions, which cannot be sent. */
export type PlainTask = Omit<Task, 'lessons'>;

export type ToThread =
  | { readonly kind: 'lessons'; readonly number: number; readonly lessons: Lessons }
  | { readonly kind: 'task'; readonly number: number; readonly task: PlainTask; readonly lessons?: number }
  | { readonly kind: 'forget' }
  | { readonly kind: 'work'; readonly works: string };

export type FromThread =
  | { readonly kind: 'learnt'; readonly number: number }
  | { readonly kind: 'worked'; readonly turns: readonly WorkedOver[] };

/** Without texts the thread could not do it, whatever the reason: then it is done here, where it fails as it should. */
export type WorkedOver = readonly [number: number, texts: TurnTexts | undefined];

interface TaskOver {
  readonly number: number;
  readonly lessons: LessonsOver | undefined;
}

interface LessonsOver {
  readonly number: number;
  readonly learning: Promise<void>;
  learnt: boolean;
}

/** So many turns go over and come back at once: while they are stored and answered, the thread has the next. */
const together = 12;

/** An episode that begins while so many turns are over there stays here, so that neither side waits for the other. */
const mostOver = 48;

const mostTasks = 1000;

/**
 * A second thread that plays and grades turns, while this one talks to the clients and to the store. What it holds of an
 * episode is a copy: an episode begins there or never comes there, and whatever the thread cannot do is done here.
 */
export class TurnThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #over = new Map<number, (texts: TurnTexts | undefined) => void>();
  /** The work that made a turn: an episode whose last turn was made otherwise is not known over there. */
  readonly #madeBy = new WeakMap<TranscriptTurn, number>();
  #tasks = new Map<Task, TaskOver | undefined>();
  #lessons = new Map<Lessons, LessonsOver>();
  readonly #learning = new Map<number, () => void>();
  #waiting: string[] = [];
  #count = 0;
  #ended = false;

  /** Who asks for it hears when it ends by itself, and why. */
  constructor(onLost: (reason: string) => void = () => undefined) {
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`./turn-thread-main.${ending}`, import.meta.url));
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    // Whatever ends it: nobody waits for it any longer.
    const lost = (reason: string): void => {
      if (!this.#ended) onLost(reason);
      this.#end();
    };
    this.#worker.on('error', (error) => lost(String(error)));
    this.#worker.on('messageerror', (error) => lost(String(error)));
    this.#worker.on('exit', (code) => lost(`It ended with ${code}.`));
    this.#worker.unref(); // Behind the listeners, which would hold the process.
  }

  /** Plays and grades the next turn of an episode; undefined when that must be done here. */
  async work(live: LiveEpisode, turn: TurnForThread): Promise<WorkedTurn | undefined> {
    const standing = this.#ended ? undefined : this.#standingOf(live);
    if (standing === undefined) return undefined;
    const number = (this.#count += 1);
    // All that come in this round of the event loop go over together.
    if (this.#waiting.length === 0) process.nextTick(() => this.#send());
    this.#waiting.push(writeWork(number, live, { ...turn, ...standing }));
    // Whoever waits for a turn keeps the process; an idle thread does not.
    if (this.#over.size === 0) this.#worker.ref();
    const texts = await new Promise<TurnTexts | undefined>((resolve) => this.#over.set(number, resolve));
    if (texts === undefined) return undefined;
    const worked = readWorked(texts, turn.messages);
    this.#madeBy.set(worked.entry, number);
    return worked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await this.#worker.terminate();
  }

  #standingOf(live: LiveEpisode): Pick<ThreadWork, 'given' | 'after'> | undefined {
    const last = live.turns.at(-1);
    const after = last && this.#madeBy.get(last);
    if (after !== undefined) return { after };
    if (last !== undefined || this.#over.size >= mostOver) return undefined;
    const number = this.#numberOf(live.task);
    if (number === undefined) return undefined;
    // The state is read here and not above: of a turn that was made over there it is text only.
    const { options, opening, state } = live;
    return { given: { task: number, options, opening, state } };
  }

  /** Gives the thread a task of which episodes are opened. Resolves when it has learnt what its person must know. */
  async offer(task: Task): Promise<void> {
    if (!this.#ended) await this.#taskOver(task)?.lessons?.learning;
  }

  /** The number of a task that the thread can play; undefined while it learns, which may take a second. */
  #numberOf(task: Task): number | undefined {
    const { number, lessons } = this.#taskOver(task) ?? {};
    return lessons?.learnt === false ? undefined : number;
  }

  /** What the thread has of a task; nothing of one whose world is code, which cannot be sent. */
  #taskOver(task: Task): TaskOver | undefined {
    if (this.#tasks.has(task)) return this.#tasks.get(task);
    if (this.#tasks.size >= mostTasks) {
      this.#tasks = new Map();
      this.#lessons = new Map();
      this.#post({ kind: 'forget' });
    }
    const isCode = Object.values(task.functions).some(({ run }) => run !== undefined);
    const over = isCode ? undefined : this.#sendTask(task);
    this.#tasks.set(task, over);
    return over;
  }

  #sendTask({ lessons: read, ...task }: Task): TaskOver {
    const given = read();
    const lessons = given && this.#lessonsOver(given);
    const number = (this.#count += 1);
    this.#post({ kind: 'task', number, task, ...(lessons && { lessons: lessons.number }) });
    return { number, lessons };
  }

  /** All variants of a scenario share their lessons, and these are much. */
  #lessonsOver(lessons: Lessons): LessonsOver {
    let over = this.#lessons.get(lessons);
    if (over === undefined) {
      const number = (this.#count += 1);
      const learning = new Promise<void>((resolve) => this.#learning.set(number, resolve));
      over = { number, learning, learnt: false };
      void learning.then(() => (over!.learnt = true));
      this.#lessons.set(lessons, over);
      this.#post({ kind: 'lessons', number, lessons });
    }
    return over;
  }

  #send(): void {
    const works = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < works.length; from += together)
      this.#post({ kind: 'work', works: `[${works.slice(from, from + together).join()}]` });
  }

  #post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
    if (!this.#ended) this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    if (message.kind === 'learnt') {
      this.#learning.get(message.number)?.();
      this.#learning.delete(message.number);
      return;
    }
    for (const [number, texts] of message.turns) {
      this.#over.get(number)?.(texts);
      this.#over.delete(number);
    }
    if (this.#over.size === 0) this.#worker.unref();
  }

  #end(): void {
    this.#ended = true;
    for (const resolve of this.#over.values()) resolve(undefined);
    this.#over.clear();
    for (const resolve of this.#learning.values()) resolve();
    this.#learning.clear();
  }
}

function writeWork(
  number: number,
  { record }: LiveEpisode,
  { messagesText, ...rest }: TurnForThread & Pick<ThreadWork, 'given' | 'after'>,
): string {
  const work = { number, episode: record.id, ...rest, messages: undefined };
  return `${JSON.stringify(work).slice(0, -1)},"messages":${messagesText}}`;
}

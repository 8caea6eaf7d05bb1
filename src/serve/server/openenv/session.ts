import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Caller, TaskChoice } from '../../../grade/episode/request.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import type { Observation } from '../../../grade/scenario/transcript.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../context.ts';
import { nameAt } from '../fields.ts';
import { invalid } from '../refusal.ts';
import { fieldsNamed, mustBeSpelt } from '../spelling.ts';
import { actionBook, finishOffer, sayOffer, type FunctionOffer } from '../session/offer.ts';
import {
  endingOf,
  endingOfRecord,
  finalReward,
  openSession,
  rewardOf,
  sessionEpisode,
  turnOf,
  wasFinished,
} from '../session/session.ts';
import { readAction } from './read-action.ts';
import { readChoice } from './read-choice.ts';

/** What reset and step answer: the reward and the end stand beside the observation. */
export interface StepAnswer {
  readonly observation: JsonObject;
  readonly reward: number | null;
  readonly done: boolean;
  readonly metadata: JsonObject;
}

const idleMs = 60 * 60_000;
const resetFields = fieldsNamed(
  ...['episode_id', 'collection', 'scenario', 'variant', 'seed', 'split', 'index', 'group'],
);

/**
 * One environment of a client: at most one episode at a time, which a reset changes. The episode itself is in the store,
 * and the client may come back to it by its id. Who names a session, on a socket and over `/mcp`, finds there what the
 * session plays, whichever connection reset it: its episodes have places, one after another.
 */
export class OpenEnvSession {
  readonly #context: ServerContext;
  readonly #caller: Caller;
  readonly #session: string | undefined;
  /** The place of its episode in the session; 0 before the first. */
  #place = 0;
  /** The id of its episode, as the client knows it. */
  #id: string | undefined;

  constructor(
    context: ServerContext,
    caller: Caller,
    name: { readonly session?: string | undefined; readonly episode?: string | undefined } = {},
  ) {
    this.#context = context;
    this.#caller = caller;
    this.#session = name.session;
    this.#id = name.session ?? name.episode;
  }

  async hasBegun(): Promise<boolean> {
    return (await this.#current()) !== undefined;
  }

  async reset(data: JsonObject): Promise<StepAnswer> {
    mustBeSpelt(data, resetFields);
    const wanted = nameAt(data['episode_id'], 'episode_id', 255);
    const current = await this.#current();
    const id = wanted ?? (current ? this.#nextName() : this.#id) ?? randomId('oe');
    const choice = readChoice(this.#context, this.#caller, data);
    // A reset that is wrong changes nothing. What it leaves is over, and no longer one of those that a key may have open.
    this.#context.engine.tasks.choose(this.#caller, choice);
    const known = wanted === undefined ? undefined : await this.#find(wanted);
    if (known !== undefined && this.#session !== undefined && known.id !== current?.id)
      throw invalid('episode_id', 'names an episode of another session. Leave it out to begin another.');
    if (current !== undefined && current.id !== known?.id) await this.#end(current);
    const record = await this.#open(id, known, choice, data);
    if (record.turnCount > 0)
      throw invalid('episode_id', 'names an episode that is under way. Leave it out to begin another.');
    this.#id = id;
    const opening = JSON.parse(record.opening) as Observation;
    return {
      observation: {
        message: opening.content,
        tools: this.#offersOf(this.#context.engine.tasks.taskOf(record)),
        episode_id: id,
      },
      reward: null,
      done: false,
      metadata: {
        episode_id: id,
        collection: record.collection,
        scenario: record.scenario,
        variant: record.variant,
        // Also here: `MCPToolClient` keeps of an observation with tools nothing but these, and what stands beside it.
        message: opening.content,
      },
    };
  }

  /** Does what the action says; with a request id, a repeat is answered alike and does nothing again. */
  async step(data: unknown, requestId?: string): Promise<StepAnswer> {
    const action = readAction(data);
    if (action.kind === 'list_tools')
      return {
        observation: { tools: await this.listTools() },
        reward: null,
        done: false,
        metadata: {},
      };
    const record = await this.#record();
    const task = this.#context.engine.tasks.taskOf(record);
    try {
      if (action.kind === 'act') return await this.#act(record, task, action, requestId);
      const answer = await this.#call(record, task, { ...action, requestId });
      return {
        ...answer,
        observation: {
          ...answer.observation,
          tool_name: action.tool,
          result: answer.observation['message'] ?? '',
          error: null,
        },
      };
    } catch (error) {
      // What the model did wrong is told to it: an error would end its rollout.
      if (!(error instanceof WhetstoneError) || error.code !== 'request_invalid') throw error;
      const type = error.details['unknown'] === true ? 'tool_not_found' : 'invalid_args';
      return {
        observation: {
          ...(action.kind === 'act' ? { message: error.message } : { tool_name: action.tool, result: null }),
          error: { error_type: type, message: error.message },
        },
        reward: null,
        done: false,
        metadata: {},
      };
    }
  }

  async state(): Promise<JsonObject> {
    if (this.#id === undefined) return { episode_id: null, step_count: 0 };
    const record = await this.#current();
    return {
      episode_id: this.#id,
      step_count: record?.turnCount ?? 0,
      ...(record && {
        collection: record.collection,
        scenario: record.scenario,
        variant: record.variant,
        done: record.status === 'complete',
        ...endingOfRecord(record),
      }),
    };
  }

  /** The tools of the episode, or of the task that a reset without a name would begin. */
  async listTools(): Promise<readonly JsonObject[]> {
    const record = await this.#current();
    const { tasks } = this.#context.engine;
    const task = record
      ? tasks.taskOf(record)
      : tasks.task(tasks.choose(this.#caller, readChoice(this.#context, this.#caller, {})));
    return this.#offersOf(task);
  }

  /** Ends the episode, graded as it stands. */
  async close(): Promise<void> {
    const current = await this.#current();
    if (current !== undefined) await this.#end(current);
  }

  async #act(
    record: EpisodeRecord,
    task: Task,
    action: {
      readonly message: string;
      readonly calls: readonly { readonly name: string; readonly input: JsonValue }[];
    },
    requestId: string | undefined,
  ): Promise<StepAnswer> {
    const book = actionBook(task);
    const words = [action.message];
    const calls: { readonly name: string; readonly input: JsonValue }[] = [];
    let finish = false;
    for (const { name, input } of action.calls) {
      if (name === finishOffer.name) finish = true;
      else if (name === sayOffer.name) words.push(messageOf(input));
      // What is no tool of the task goes in as it stands: it is graded.
      else calls.push(book.callOf(name, input) ?? { name, input });
    }
    const message = words.filter((part) => part !== '').join('\n\n');
    if (finish && message === '' && calls.length === 0) return this.#finish(record, requestId);
    const answer = await this.#play(record, { message, calls }, requestId);
    return finish && !answer.done ? this.#finish(record, requestId) : answer;
  }

  async #call(
    record: EpisodeRecord,
    task: Task,
    {
      tool,
      input,
      requestId,
    }: { readonly tool: string; readonly input: JsonValue; readonly requestId?: string | undefined },
  ): Promise<StepAnswer> {
    if (tool === finishOffer.name) return this.#finish(record, requestId);
    if (tool === sayOffer.name)
      return this.#play(record, { message: messageOf(input), calls: [] }, requestId);
    const book = actionBook(task);
    const call = book.callOf(tool, input);
    if (call === undefined)
      throw new WhetstoneError(
        'request_invalid',
        `There is no tool "${tool.slice(0, 100)}". Known: ${book.offers.map(({ name }) => name).join(', ')}.`,
        { details: { unknown: true } },
      );
    return this.#play(record, { message: '', calls: [call] }, requestId);
  }

  async #play(
    record: EpisodeRecord,
    action: Parameters<typeof turnOf>[0],
    requestId: string | undefined,
  ): Promise<StepAnswer> {
    const { outcome } = await this.#context.engine.submitTurn(
      this.#caller,
      record.id,
      turnOf(action, requestId),
    );
    const ending = endingOf(outcome);
    return {
      observation: {
        message: outcome.observation.content,
        ...(outcome.results.length > 0 && {
          results: outcome.results.map(({ name, output, isError }) => ({
            name,
            output,
            is_error: isError ?? false,
          })),
        }),
        ...(this.#id !== undefined && { episode_id: this.#id }),
        // Also here: its own client reads nothing but the observation, the reward and whether it is done.
        ...ending,
      },
      reward: await rewardOf(this.#context, record.id, outcome),
      done: outcome.ended !== undefined,
      metadata: { turn: outcome.turn, ...ending },
    };
  }

  async #finish(record: EpisodeRecord, requestId: string | undefined): Promise<StepAnswer> {
    const open = await this.#context.engine.readRecord(this.#caller, record.id);
    // Only who names its requests can mean a repeat.
    const isRepeat = requestId !== undefined && wasFinished(open);
    if (open.status === 'complete' && !isRepeat)
      throw new WhetstoneError('episode_complete', 'Episode already complete.', {
        details: { turn: open.turnCount },
      });
    const ended = await this.#context.engine.end(this.#caller, record.id, 'client_terminated');
    const ending = endingOfRecord(ended);
    return {
      observation: {
        message: 'The task is finished.',
        ...(this.#id !== undefined && { episode_id: this.#id }),
        ...ending,
      },
      reward: await finalReward(this.#context, ended),
      done: true,
      metadata: { turn: ended.turnCount, ...ending },
    };
  }

  /** The episode that is played now; a session without one begins the task that a reset without a name would. */
  async #record(): Promise<EpisodeRecord> {
    const current = await this.#current();
    if (current !== undefined) return current;
    this.#id ??= randomId('oe');
    return this.#open(this.#id, undefined, readChoice(this.#context, this.#caller, {}), {});
  }

  /** The episode that is played now, where one has begun. Another connection of the session may have changed it. */
  async #current(): Promise<EpisodeRecord | undefined> {
    const session = this.#session;
    if (session === undefined) return this.#id === undefined ? undefined : this.#find(this.#id);
    const place = await this.#lastPlace(session);
    if (place !== this.#place) this.#id = placeName(session, place);
    const record = await this.#find(this.#id ?? session);
    // A session may also be called by the id that a client chose for an episode of another: that is its first.
    this.#place = record === undefined ? place : Math.max(place, 1);
    return record;
  }

  /** The place of the session's latest episode, looked for in growing strides: a session may have had many. */
  async #lastPlace(session: string): Promise<number> {
    const isTaken = async (place: number): Promise<boolean> =>
      (await this.#read(placeName(session, place))) !== undefined;
    let last = this.#place;
    let stride = 1;
    for (; await isTaken(last + stride); stride *= 2) last += stride;
    for (stride /= 2; stride >= 1; stride /= 2) if (await isTaken(last + stride)) last += stride;
    return last;
  }

  #nextName(): string | undefined {
    return this.#session === undefined ? undefined : placeName(this.#session, this.#place + 1);
  }

  /** An episode by its id: in a session it has the name of its place, and the one that its client chose. */
  async #find(id: string): Promise<EpisodeRecord | undefined> {
    const record =
      (await this.#read(id)) ??
      (await this.#context.engine.store.readEpisodeByKey(this.#caller.id, this.#chosen(id)));
    return record?.owner === this.#caller.id ? record : undefined;
  }

  async #read(id: string): Promise<EpisodeRecord | undefined> {
    const record = await this.#context.engine.store.readEpisode(this.#key(id));
    return record?.owner === this.#caller.id ? record : undefined;
  }

  async #end({ id }: EpisodeRecord): Promise<void> {
    await this.#context.engine.end(this.#caller, id, 'client_terminated');
  }

  /** Opens an episode, or finds the one that the same request opened before. */
  async #open(
    id: string,
    known: EpisodeRecord | undefined,
    task: TaskChoice,
    data: JsonObject,
  ): Promise<EpisodeRecord> {
    const group = nameAt(data['group'], 'group');
    const name = this.#nextName() ?? id;
    try {
      const record = await openSession(this.#context, this.#caller, known?.id ?? this.#key(name), {
        task,
        idleMs,
        ...(group !== undefined && { group }),
        ...(name !== id && { idempotencyKey: this.#chosen(id) }),
      });
      if (this.#session !== undefined && known === undefined) this.#place += 1;
      return record;
    } catch (error) {
      if (isWhetstoneError(error) && error.code === 'idempotency_conflict')
        throw invalid(
          'episode_id',
          'names an episode that was begun otherwise. Leave it out to begin another.',
        );
      throw error;
    }
  }

  #key(id: string): string {
    return sessionEpisode('oe', this.#caller, id);
  }

  /** The key under which an episode is found by the id that its client chose; no client can send one with a line break. */
  #chosen(id: string): string {
    return `chosen\n${this.#key(id)}`;
  }

  #offersOf(task: Task): readonly JsonObject[] {
    return actionBook(task).offers.map((offer: FunctionOffer) => ({ ...offer }));
  }
}

/** What a place of a session is called: the first as the session itself. */
function placeName(session: string, place: number): string {
  return place <= 1 ? session : `${session}.${place}`;
}

function messageOf(input: JsonValue): string {
  const message = isJsonObject(input) ? input['message'] : undefined;
  if (typeof message !== 'string') throw invalid('say', 'needs a message that is a string.');
  return message;
}

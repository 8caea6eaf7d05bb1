import { WhetstoneError } from '../../../base/host/errors.ts';
import { randomId } from '../../../base/host/random.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import type { Observation } from '../../../grade/scenario/transcript.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { nameAt } from '../../http/fields.ts';
import { invalid } from '../../http/refusal.ts';
import { fieldsNamed, mustBeSpelt } from '../../http/spelling.ts';
import { actionBook, finishOffer, sayOffer, type FunctionOffer } from '../session/offer.ts';
import { SessionEpisode, type SessionName } from '../session/session-episode.ts';
import { endingOf, endingOfRecord, finalReward, rewardOf, turnOf, wasFinished } from '../session/session.ts';
import { readAction } from './read-action.ts';
import { readChoice } from './read-choice.ts';

/** What reset and step answer: the reward and the end are next to the observation. */
export interface StepAnswer {
  readonly observation: JsonObject;
  readonly reward: number | null;
  readonly done: boolean;
  readonly metadata: JsonObject;
}

const resetFields = fieldsNamed(
  ...['episode_id', 'collection', 'scenario', 'variant', 'seed', 'split', 'index', 'group'],
);

const idleMs = 60 * 60_000;

/** One environment of a client: at most one episode at a time, which a reset changes. */
export class OpenEnvSession {
  readonly #context: ServerContext;
  readonly #caller: Caller;
  readonly #episode: SessionEpisode;

  constructor(context: ServerContext, caller: Caller, name: SessionName = {}) {
    this.#context = context;
    this.#caller = caller;
    this.#episode = new SessionEpisode(context, caller, name, { door: 'oe', idleMs });
  }

  async hasBegun(): Promise<boolean> {
    return (await this.#episode.current()) !== undefined;
  }

  async reset(data: JsonObject): Promise<StepAnswer> {
    mustBeSpelt(data, resetFields);
    const wanted = nameAt(data['episode_id'], 'episode_id', 255);
    const current = await this.#episode.current();
    const id = wanted ?? (current ? this.#episode.nextName : this.#episode.id) ?? randomId('oe');
    const choice = readChoice(this.#context, this.#caller, data);
    const group = nameAt(data['group'], 'group');
    // A reset that is wrong changes nothing. What it leaves is over, and no longer one of those that a key may have open.
    this.#context.engine.tasks.choose(this.#caller, choice);
    const known = wanted === undefined ? undefined : await this.#episode.find(wanted);
    if (known !== undefined && this.#episode.isNamed && known.id !== current?.id)
      throw invalid('episode_id', 'names an episode of another session. Leave it out to begin another.');
    const open = async (): Promise<EpisodeRecord> =>
      notUnderWay(await this.#episode.open(id, known, choice, group));
    const there = known && (await open());
    if (current !== undefined && current.id !== known?.id) await this.#episode.end(current);
    const record = there ?? (await open());
    this.#episode.id = id;
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
        // Also here: `MCPToolClient` keeps only these of an observation with tools, and what is next to it.
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
    if (this.#episode.id === undefined) return { episode_id: null, step_count: 0 };
    const record = await this.#episode.current();
    return {
      episode_id: this.#episode.id,
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
    const record = await this.#episode.current();
    const { tasks } = this.#context.engine;
    const task = record
      ? tasks.taskOf(record)
      : tasks.task(tasks.choose(this.#caller, readChoice(this.#context, this.#caller, {})));
    return this.#offersOf(task);
  }

  /** Ends the episode, graded as it stands. */
  async close(): Promise<void> {
    const current = await this.#episode.current();
    if (current !== undefined) await this.#episode.end(current);
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
      // What is not a tool of the task goes in unchanged: it is graded.
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
        ...this.#named(),
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
        ...this.#named(),
        ...ending,
      },
      reward: await finalReward(this.#context, ended),
      done: true,
      metadata: { turn: ended.turnCount, ...ending },
    };
  }

  /** The episode that is played now; a session without one begins the task that a reset without a name would. */
  async #record(): Promise<EpisodeRecord> {
    const current = await this.#episode.current();
    if (current !== undefined) return current;
    this.#episode.id ??= randomId('oe');
    return this.#episode.open(this.#episode.id, undefined, readChoice(this.#context, this.#caller, {}));
  }

  #named(): { readonly episode_id?: string } {
    const { id } = this.#episode;
    return id === undefined ? {} : { episode_id: id };
  }

  #offersOf(task: Task): readonly JsonObject[] {
    return actionBook(task).offers.map((offer: FunctionOffer) => ({ ...offer }));
  }
}

function notUnderWay(record: EpisodeRecord): EpisodeRecord {
  if (record.turnCount === 0) return record;
  throw invalid('episode_id', 'names an episode that is under way. Leave it out to begin another.');
}

function messageOf(input: JsonValue): string {
  const message = isJsonObject(input) ? input['message'] : undefined;
  if (typeof message !== 'string') throw invalid('say', 'needs a message that is a string.');
  return message;
}

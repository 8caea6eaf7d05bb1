import { isWhetstoneError } from '../../../base/host/errors.ts';
import { version } from '../../../base/host/version.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { numbersOf } from '../../../grade/episode/outcome.ts';
import type { Observation } from '../../../grade/scenario/transcript.ts';
import type { Grade } from '../../../grade/score/grade.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { causeOf } from '../../http/middleware/access-log.ts';
import { refusalOf } from '../../http/refusal.ts';
import { failureOf } from '../session/failure.ts';
import { SessionRefused, type HudSession, type HudSessions } from './sessions.ts';
import { listTasks, readTask } from './tasks.ts';

/** The one capability: the tools of the task, over MCP. */
export const toolsCapability = 'tools';

/** An error in the client's words: a code of JSON-RPC and a sentence. */
export class ControlError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const invalidRequest = -32600;
const invalidParams = -32602;
const refused = -32000;

/** Answers the requests of one connection, in the session that its `hello` began or took over. */
export class Control {
  readonly #context: ServerContext;
  readonly #sessions: HudSessions;
  readonly #peer: string;
  readonly #address: string;
  #session: HudSession | undefined;

  constructor(
    context: ServerContext,
    sessions: HudSessions,
    { peer, address }: { readonly peer: string; readonly address: string },
  ) {
    this.#context = context;
    this.#sessions = sessions;
    this.#peer = peer;
    this.#address = address;
  }

  /** The result of a method; throws a `ControlError`. */
  async run(method: string, params: JsonObject): Promise<JsonObject> {
    try {
      return await this.#run(method, params);
    } catch (error) {
      if (error instanceof ControlError) throw error;
      if (error instanceof SessionRefused) throw new ControlError(invalidRequest, error.message);
      const { status, code, message } = refusalOf(error);
      const isUnknown = isWhetstoneError(error) && unknownTask.has(error.code);
      if (status >= 500)
        this.#context.log('error', 'call_broken', {
          ...{ protocol: 'hud', operation: method, code, error: String(error), cause: causeOf(error) },
        });
      throw new ControlError(isUnknown ? invalidParams : refused, message);
    }
  }

  /** The connection has gone: a task that was not graded waits for another one. */
  leave(): void {
    if (this.#session !== undefined) this.#sessions.park(this.#session);
    this.#session = undefined;
  }

  async #run(method: string, params: JsonObject): Promise<JsonObject> {
    switch (method) {
      case 'hello':
        return this.#hello(params['session_id']);
      case 'tasks.list':
        return { tasks: listTasks(this.#context.engine.tasks, this.#sessions.caller) };
      case 'tasks.start':
        return this.#start(params);
      case 'tasks.grade':
        return this.#grade();
      case 'tasks.cancel':
        await this.#end();
        return { cancelled: true };
      case 'bye':
        await this.#end();
        return { goodbye: true };
      default:
        throw new ControlError(-32601, `method not found: ${method.slice(0, 100)}`);
    }
  }

  async #hello(id: JsonObject[string] | undefined): Promise<JsonObject> {
    if (id !== undefined && id !== null && typeof id !== 'string')
      throw new ControlError(invalidParams, 'session_id must be a string');
    if (typeof id === 'string' && id !== this.#session?.id) {
      const session = await this.#sessions.resume(id, this.#peer);
      this.leave();
      this.#session = session;
    }
    const session = (this.#session ??= this.#sessions.begin(this.#peer));
    // The client says hello again and again while its agent thinks: the episode must not end meanwhile.
    const record = session.hasTask ? await session.episode.current() : undefined;
    if (record !== undefined) await this.#context.engine.touch(this.#sessions.caller, record.id);
    return {
      session_id: session.id,
      env: { name: 'whetstone', version },
      bindings: [
        {
          name: toolsCapability,
          protocol: 'mcp/2025-11-25',
          url: `${this.#address}/hud/${session.id}/mcp`,
          params: { transport: 'streamable-http' },
        },
      ],
    };
  }

  async #start({ id, args = {} }: JsonObject): Promise<JsonObject> {
    if (typeof id !== 'string') throw new ControlError(invalidParams, 'id must be a string');
    if (!isJsonObject(args)) throw new ControlError(invalidParams, 'args must be an object');
    const session = (this.#session ??= this.#sessions.begin(this.#peer));
    const { task, group } = readTask(id, args);
    // A start that is wrong leaves the task before it as it is.
    this.#context.engine.tasks.task(this.#context.engine.tasks.choose(this.#sessions.caller, task));
    await this.#end();
    await session.episode.current();
    const record = await session.episode.open(session.episode.nextName!, undefined, task, group);
    session.hasTask = true;
    return { prompt: (JSON.parse(record.opening) as Observation).content };
  }

  async #grade(): Promise<JsonObject> {
    const graded = this.#session?.hasTask === true ? this.#session : this.#adopted();
    const record = await this.#sessions.end(graded);
    if (graded !== this.#session) this.#sessions.park(graded);
    if (record === undefined) throw new ControlError(invalidRequest, 'no task in progress');
    return evaluationOf(record);
  }

  /** The one task that was left ungraded by a client at the same address. */
  #adopted(): HudSession {
    const parked = this.#sessions.parked(this.#peer);
    const [only] = parked;
    if (only === undefined) throw new ControlError(invalidRequest, 'no task in progress');
    if (parked.length > 1)
      throw new ControlError(
        invalidRequest,
        `no task in progress here, and several are parked: ${parked.map(({ id }) => id).join(', ')}. Say hello with the session_id of one.`,
      );
    return only;
  }

  async #end(): Promise<void> {
    if (this.#session !== undefined) await this.#sessions.end(this.#session);
  }
}

const unknownTask: ReadonlySet<string> = new Set([
  ...['scenario_unknown', 'scenario_invalid', 'collection_forbidden'],
]);

/** What the client makes a grade of: the score is the sum of its parts, and a fault of ours is not a score. */
function evaluationOf({ id, grade, terminalReason }: EpisodeRecord): JsonObject {
  // Written by the engine, from a grade.
  const numbers = numbersOf(JSON.parse(grade ?? '') as Grade);
  const { reward, success, progress, gate, scores, shaped } = numbers;
  const failure = failureOf(numbers, terminalReason ?? '');
  const info = { episode_id: id, terminal_reason: terminalReason, ...scores };
  if (failure !== undefined)
    return {
      ...{ score: 0, done: true, isError: true, info },
      content: `Not the agent's fault (${failure}): leave this run out, and run it again.`,
    };
  return {
    ...{ score: reward, done: true, isError: false, info },
    // A scenario that weighs otherwise has no such parts.
    ...(!shaped && {
      subscores: [
        { name: 'success', weight: 0.5, value: gate * success },
        { name: 'progress', weight: 0.5, value: gate * progress },
      ],
    }),
  };
}

import { WhetstoneError } from '../../../base/host/errors.ts';
import { addUsage, type Usage } from '../../../base/message/usage.ts';
import { isAiSdkAgent, seatAiSdkAgent, type AiSdkAgent } from './ai-sdk-agent.ts';
import type { Beginning, OperatorStep, Seat, Seated, TurnAnswered, TurnMessage } from './episode.ts';
import { Exchange } from './exchange.ts';
import { seatFunction, type FunctionAgent } from './function-agent.ts';
import { isOpenAIAgent, seatOpenAIAgent, type OpenAIAgent, type RunAgent } from './openai-agent.ts';

/** What can play: an agent of the AI SDK, one of OpenAI Agents, or a function. */
export type AnyAgent = AiSdkAgent | OpenAIAgent | FunctionAgent;

export interface OperatorOptions {
  /** Aborts the agent and ends the play; the episode is graded as it stands. */
  readonly signal?: AbortSignal;
  /** Hears every step as soon as the agent's library tells of it. */
  readonly onStep?: (step: OperatorStep) => void;
  /** For an OpenAI agent: how to run it, such as a `Runner` of your own; `run` of `@openai/agents` otherwise. */
  readonly run?: RunAgent;
}

/** Takes a seat at an episode that begins; fits `player` of `playEpisode`. */
export type Operator = (episode: Beginning) => Play;

/** An agent in one episode, and what is recorded of it. */
export interface Play {
  next(turn: number, last: TurnAnswered | undefined): Promise<readonly TurnMessage[] | undefined>;
  /** The episode is over: what the agent still does is left behind. */
  end(last: TurnAnswered | undefined): void;
  readonly steps: readonly OperatorStep[];
  /** Tokens of all steps; undefined where no step told of any. */
  readonly usage: Usage | undefined;
}

/**
 * Makes an unchanged agent the player: the episode's tools are handed to it along with its own, and its calls and
 * steps are recorded as ours.
 * @example await playEpisode(client, { collection_slug, scenario_slug }, { player: operator(myAgent) });
 */
export function operator(agent: AnyAgent, options: OperatorOptions = {}): Operator {
  const seat = seatOf(agent, options);
  return (episode) => play(episode, seat, options);
}

function seatOf(agent: AnyAgent, { run }: OperatorOptions): (seat: Seat) => Seated {
  if (typeof agent === 'function') return (seat) => seatFunction(agent, seat);
  if (isOpenAIAgent(agent)) return (seat) => seatOpenAIAgent(agent, seat, run);
  if (isAiSdkAgent(agent)) return (seat) => seatAiSdkAgent(agent, seat);
  throw new WhetstoneError(
    'agent_unfit',
    'operator() takes an agent of the AI SDK (with `generate` or `stream`), an Agent of @openai/agents, or a function. Give one of these.',
    { details: { type: agent === null ? 'null' : typeof agent } },
  );
}

function play(
  episode: Beginning,
  takeSeat: (seat: Seat) => Seated,
  { signal: given, onStep }: OperatorOptions,
): Play {
  const exchange = new Exchange();
  const over = new AbortController();
  const signal = given === undefined ? over.signal : AbortSignal.any([given, over.signal]);
  const steps: OperatorStep[] = [];
  const reply = takeSeat({
    tools: episode.tools.map((tool) => exchange.tool(tool)),
    signal,
    record(step) {
      steps.push(step);
      onStep?.(step);
    },
  });
  let running: Promise<string> | undefined;
  return {
    steps,
    get usage() {
      const known = steps.flatMap(({ usage }) => usage ?? []);
      return known.length === 0 ? undefined : known.reduce(addUsage);
    },
    async next(_turn, last) {
      signal.throwIfAborted();
      const words = (last?.observation ?? episode.initial_observation).content;
      // In the middle of a reply there is no other way for the person's words to reach the agent.
      if (last !== undefined) exchange.answer(last, running === undefined ? '' : words);
      running ??= reply(words);
      const said = await untilAborted(Promise.race([running, exchange.due]), signal);
      if (said === undefined) return [exchange.take('')];
      running = undefined;
      return said === '' && !exchange.hasCalls ? undefined : [exchange.take(said)];
    },
    end(last) {
      if (last !== undefined) exchange.answer(last, '');
      exchange.close();
      over.abort();
    },
  };
}

/** An agent that does not heed its signal is left behind. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

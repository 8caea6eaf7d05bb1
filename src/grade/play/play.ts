import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { normalizeInput } from '../scenario/normalize-input.ts';
import { reply } from '../person/reply.ts';
import type { Reply } from '../person/reply.ts';
import { lineOf } from '../person/lines.ts';
import type { Task } from '../scenario/task.ts';
import type {
  CallOutcome,
  HeardTurn,
  Observation,
  TranscriptTurn,
  TurnMessage,
} from '../scenario/transcript.ts';
import { moveOf } from './moves.ts';
import { runFunction, runSteps } from './world.ts';
import type { Ran } from './run-code.ts';
import { isNearlyOver, openSession, sessionIsOver, turnsAreUsedUp } from './session.ts';
import type { PastCall, PlayState, TerminalReason } from '../scenario/play-state.ts';

/** One turn played by the rules: nothing stored, nothing graded. */
export interface PlayedTurn {
  readonly state: PlayState;
  readonly observation: Observation;
  readonly outcomes: readonly CallOutcome[];
  /** Facts that came out in this turn, told by the person or shown by a tool. */
  readonly revealed: readonly string[];
  readonly ended?: TerminalReason;
  /** The world broke, and with it the play. It may speak of what is hidden: not for the model, nor for who calls for it. */
  readonly fault?: WorldFault;
  /** What the person's words were made of; absent where the scenario itself had the last word. */
  readonly speech?: Speech;
}

/** What others than the rules answered in a turn. */
export interface TurnAnswers {
  readonly heard?: HeardTurn | undefined;
  /** Of each call, in their order, what came of it on the page; those that reach no page have no place in it. */
  readonly acted?: readonly (CallOutcome | undefined)[] | undefined;
}

/** What others answered in a turn that is in a transcript: by it the turn is played again as it was. */
export function answersOf({ hearing, outcomes }: TranscriptTurn): TurnAnswers {
  return { heard: hearing?.heard, acted: outcomes.map((one) => (one.page === undefined ? undefined : one)) };
}

/** What a tool of the world did wrong, with its file and line. */
export interface WorldFault {
  readonly tool: string;
  readonly message: string;
}

/** The person's answer by the rules, before anybody says it in other words. */
export interface Speech {
  readonly heard: Reply;
  /** What the scenario says after it: how the next session opens. */
  readonly then: string;
}

/** Opens a task: the state before the first turn, and the first observation. */
export function startPlay(task: Task): { readonly state: PlayState; readonly observation: Observation } {
  const revealed: Record<string, number> = {};
  for (const fact of task.facts)
    if (fact.reveal === 'volunteered' && fact.session <= 1) revealed[fact.id] = 0;
  return {
    state: {
      turn: 0,
      revealed,
      rapport: [],
      asked: 0,
      notUnderstood: 0,
      last: '',
      heard: '',
      world: task.world,
      calls: [],
      session: 1,
      sessionTurn: 0,
    },
    observation: task.opening,
  };
}

/**
 * Plays one turn: the calls act on the world, the person answers the words. Pure: the same state and messages, and the
 * same answers of others (who hear in place of the rules; the page that was acted on), the same turn.
 */
export function playTurn(
  task: Task,
  state: PlayState,
  messages: readonly TurnMessage[],
  { heard: heardBy, acted }: TurnAnswers = {},
): PlayedTurn {
  if (state.ended !== undefined)
    throw new WhetstoneError(
      'play_ended',
      `The play has ended (${state.ended}) at turn ${state.turn}; it takes no more turns.`,
      {
        details: { turn: state.turn, ended: state.ended },
      },
    );
  const turn = state.turn + 1;
  const spoken = messages.filter((message) => message.role === 'assistant');
  const revealed: Record<string, number> = { ...state.revealed };
  const fresh: string[] = [];
  const reveal = (ids: readonly string[]) => {
    for (const id of ids)
      if (!Object.hasOwn(revealed, id)) {
        revealed[id] = turn;
        fresh.push(id);
      }
  };

  let ended: TerminalReason | undefined;
  let fault: WorldFault | undefined;
  let world = state.world;
  const calls: PastCall[] = [...state.calls];
  const shown: string[] = [...(state.shown ?? [])];
  const outcomes: CallOutcome[] = [];
  const made = spoken.flatMap((message) => message.toolCalls ?? []);
  for (const [index, call] of made.entries()) {
    const ran = runSafely(task, { call, world, earlier: calls, acted: acted?.[index] });
    if (ran.fault) ended = 'error';
    fault ??= ran.fault;
    world = ran.world;
    outcomes.push(ran.outcome);
    shown.push(...ran.reveals.filter((id) => !Object.hasOwn(revealed, id)));
    reveal(ran.reveals);
    const input = normalizeInput(task, call);
    const past = pastCall(task, call.name, { turn, session: state.session, input });
    calls.push(ran.outcome.injected === true ? { ...past, injected: true } : past);
  }

  const words = spoken
    .map((message) => message.content)
    .filter((content) => content.trim() !== '')
    .join('\n');
  const heard = reply(task, { ...state, turn }, words, { heardBy });
  reveal(heard.told);
  const before = (state.withheld ?? []).filter((id) => !heard.withheld.includes(id));
  const withheld = [...before, ...heard.withheld];
  const untold = shown.filter((id) => !heard.told.includes(id));
  for (const act of heard.does) {
    const did = runSteps(act.does, { world, input: {} });
    world = did.world;
    reveal(did.reveals);
  }

  let next: PlayState = {
    turn,
    revealed,
    ...(untold.length > 0 && { shown: untold }),
    ...(withheld.length > 0 && { withheld }),
    rapport: heard.rapport,
    asked: state.asked + heard.asked,
    notUnderstood: state.notUnderstood + heard.notUnderstood,
    ...(heard.crowded && { crowded: true as const }),
    last: heard.last,
    heard: heard.heard,
    ...(state.moved && { moved: state.moved }),
    world,
    calls,
    session: state.session,
    sessionTurn: state.sessionTurn + 1,
  };
  let then = '';
  if (ended === undefined && sessionIsOver(task, next)) {
    if (next.session < task.sessions.length) {
      const opened = openSession(task, next);
      next = opened.state;
      for (const id of opened.revealed) fresh.push(id);
      then = `\n\n${opened.says}`;
    } else ended = 'completed';
  }
  const move = ended === undefined && then === '' ? moveOf(task, next, words) : undefined;
  if (move) {
    const did = runSteps(move.does, { world, input: {} });
    reveal([...move.reveals, ...did.reveals]);
    next = {
      ...next,
      world: did.world,
      moved: { ...next.moved, [move.id]: (next.moved?.[move.id] ?? 0) + 1 },
    };
    then = ` ${move.says}`;
  }
  if (ended === undefined && turnsAreUsedUp(task, next)) ended = 'max_turns_reached';
  if (ended === undefined && (then === '' || move) && task.shape !== 'decision' && isNearlyOver(task, next))
    then += ` ${lineOf('mustGo', task, turn)}`;
  // What comes by itself needs no "I see." before it.
  const isEcho =
    move !== undefined && heard.asked === 0 && heard.told.length === 0 && heard.does.length === 0;
  const says = ended === 'completed' ? closing(task, turn) : isEcho ? then.trim() : heard.says + then;
  return {
    state: ended === undefined ? next : { ...next, ended },
    observation: { role: 'assistant', content: says },
    outcomes,
    revealed: fresh,
    ...(ended === undefined ? {} : { ended }),
    ...(fault && { fault }),
    ...(ended === 'completed' || isEcho ? {} : { speech: { heard, then } }),
  };
}

/** A world that throws is the scenario's fault: the play ends with an error, and nobody loses a turn that others could take. */
function runSafely(
  task: Task,
  options: Parameters<typeof runFunction>[1],
): Ran & { readonly fault?: WorldFault } {
  try {
    return runFunction(task, options);
  } catch (error) {
    if (!isWhetstoneError(error)) throw error;
    const { name } = options.call;
    const outcome = { name, output: sayBroken(name), isError: true, injected: true };
    return { world: options.world, outcome, reveals: [], fault: { tool: name, message: error.message } };
  }
}

/** All that is said of it to the model: what a world throws may name files, places and what the scenario hides. */
function sayBroken(name: string): string {
  return `"${name}" failed by a fault of the scenario, not of the call. The episode ends here.`;
}

function closing(task: Task, turn: number): string {
  return task.person.closes === '' ? lineOf('closing', task, turn) : task.person.closes;
}

function pastCall(
  task: Task,
  name: string,
  rest: { turn: number; session: number; input: JsonValue },
): PastCall {
  const { turn, session, input } = rest;
  const decides = task.tools.some((tool) => tool.id === name && tool.type === 'decision');
  const value =
    decides && typeof input === 'object' && input !== null && 'value' in input ? input['value'] : undefined;
  return { turn, session, name, ...(value === undefined ? {} : { value }) };
}

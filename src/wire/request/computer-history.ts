import { isWhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Action } from '../../base/message/action.ts';
import type { Call } from '../../base/message/call.ts';
import { fromScreen, mapPoints, toScreen } from '../../base/message/frame.ts';
import type { Frame, Size } from '../../base/message/frame.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../base/message/message.ts';
import type { AssistantPart, ImagePart, ProviderData } from '../../base/message/part.ts';
import type { Result } from '../../base/message/result.ts';
import { scrollDistance } from '../../base/message/scroll.ts';
import type { RequestReport } from '../adapter.ts';
import { imageSize } from './image-size.ts';

/** How an API says actions on a computer, where the request offers its tool for them. */
export interface ComputerSpeech {
  /** What its points count; absent: pixels of the screenshot. */
  readonly frame?: Frame;
  /** All actions of one reply are one call, which one screenshot answers; else each word is a call of its own. */
  readonly batch: boolean;
  /** An action in its words, in order; undefined where it has none. */
  readonly say: (action: Action) => readonly ComputerWord[] | undefined;
}

export interface ComputerWord {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly providerData?: ProviderData;
}

/**
 * The actions that another API's model asked for, as this API says them: one call of several actions becomes several
 * calls or the other way round, and their results likewise. Without `speech` they become calls of a function, which
 * every API can read. What the API's own model asked for stays as it came.
 */
export function computerTranslation(
  api: string,
  speech: ComputerSpeech | undefined,
  reports: RequestReport[],
): ComputerTranslation {
  return new Translation(api, speech, reports);
}

/** Takes a history message by message, first to last. */
export interface ComputerTranslation {
  next(message: Message): Message;
}

function foreignCalls(message: Message, api: string): readonly Call[] {
  if (message.role !== 'assistant' || message.from?.api === api) return [];
  return message.content.filter(
    (part): part is Call =>
      part.type === 'call' &&
      part.kind === 'computer' &&
      part.requiresLocalExecution &&
      part.providerData?.[api] === undefined,
  );
}

const done = 'OK';

/** What Anthropic's documents want to be said of an action that did not happen; the others understand it too. */
const notExecuted = 'Not executed: an earlier computer action in this turn failed.';

/** Walks through a history with what was seen and what became of which call. */
class Translation implements ComputerTranslation {
  readonly #api: string;
  readonly #speech: ComputerSpeech | undefined;
  readonly #reports: RequestReport[];
  /** The calls that others have replaced. */
  #split = new Map<string, readonly Call[]>();
  /** The calls that went into another one, by the id of that. */
  #merged = new Map<string, string>();
  #seen: ImagePart | undefined;

  constructor(api: string, speech: ComputerSpeech | undefined, reports: RequestReport[]) {
    this.#api = api;
    this.#speech = speech;
    this.#reports = reports;
  }

  next(message: Message): Message {
    switch (message.role) {
      case 'assistant':
        return this.#assistant(message);
      case 'tool':
        return this.#tool(message);
      case 'user':
        if (typeof message.content !== 'string') this.#look(message.content);
        return message;
      case 'system':
        return message;
    }
  }

  #look(parts: readonly { readonly type: string }[]): void {
    this.#seen = parts.findLast((part): part is ImagePart => part.type === 'image') ?? this.#seen;
  }

  #assistant(message: AssistantMessage): AssistantMessage {
    const calls = foreignCalls(message, this.#api);
    this.#split = new Map();
    this.#merged = new Map();
    if (calls.length === 0) return message;
    const [first] = calls;
    if (this.#speech?.batch === true) {
      const words = calls.flatMap((call) => this.#words(call));
      const whole: Call = {
        ...plain(first!),
        kind: 'computer',
        arguments: { actions: words.map((word) => word.arguments) },
      };
      if (words.length > 0) {
        for (const call of calls) this.#merged.set(call.id, first!.id);
        return withCalls(message, calls, (call) => (call === first ? [whole] : []));
      }
    }
    return withCalls(message, calls, (call) => this.#calls(call));
  }

  /** The calls that replace one; at least one, so that its result has a place. */
  #calls(call: Call): readonly Call[] {
    const words = this.#speech?.batch === false ? this.#words(call) : [];
    if (words.length === 0) return [plain(call)];
    const calls = words.map((word, index): Call => ({
      ...plain(call),
      ...word,
      id: words.length === 1 ? call.id : `${call.id}_${index + 1}`,
      kind: 'computer',
    }));
    this.#split.set(call.id, calls);
    return calls;
  }

  #words(call: Call): readonly ComputerWord[] {
    const all = call.actions ?? [];
    // The one screenshot that answers a batch is taken at its end: to ask for one before does nothing.
    const actions = all.filter((action, index) => action.type !== 'screenshot' || index === all.length - 1);
    return actions.flatMap((action) => {
      const words = this.#speech?.say(this.#inFrame(action, call));
      if (words !== undefined) return words;
      this.#report(call, `has no word for the action "${action.type}"; it is left out`);
      return [];
    });
  }

  /** Points and distances as this API counts them. */
  #inFrame(action: Action, call: Call): Action {
    const size = this.#seen && imageSize(this.#seen);
    const from = action.frame ?? (size && { kind: 'image' as const, ...size });
    const screen = size ?? (from?.kind === 'grid' ? undefined : from);
    const scrolled = inPixels(action, screen);
    const to = this.#speech?.frame ?? (screen && { kind: 'image' as const, ...screen });
    if (from?.kind === 'grid' && to?.kind === 'grid' && from.size === to.size) return scrolled;
    if (from === undefined || to === undefined || screen === undefined) {
      if ((from?.kind ?? 'image') !== (this.#speech?.frame?.kind ?? 'image') && hasPoint(action))
        this.#report(call, 'counts points otherwise, and no screenshot says how large the screen is');
      return scrolled;
    }
    try {
      return mapPoints(scrolled, (point) => fromScreen(toScreen(point, from, screen), to, screen));
    } catch (error) {
      if (!isWhetstoneError(error)) throw error;
      this.#report(call, `was given a point that is none: ${error.message}`);
      return scrolled;
    }
  }

  #tool(message: ToolMessage): ToolMessage {
    if (this.#split.size === 0 && this.#merged.size === 0) {
      for (const result of message.results) this.#look(result.content);
      return message;
    }
    const results: Result[] = [];
    for (const result of message.results) {
      const calls = this.#split.get(result.callId);
      const into = this.#merged.get(result.callId);
      const before = results.findIndex(({ callId }) => callId === into);
      if (calls !== undefined) results.push(...spread(result, calls));
      else if (into === undefined) results.push(result);
      else if (before < 0) results.push({ ...bare(result), callId: into });
      else results[before] = joined(results[before]!, result);
      this.#look(result.content);
    }
    return { ...message, results };
  }

  #report(call: Call, what: string): void {
    this.#reports.push({ tool: call.name, field: 'messages', message: `${this.#api} ${what} (${call.id}).` });
  }
}

function withCalls(
  message: AssistantMessage,
  calls: readonly Call[],
  change: (call: Call) => readonly Call[],
): AssistantMessage {
  const content = message.content.flatMap((part): readonly AssistantPart[] =>
    part.type === 'call' && calls.includes(part) ? change(part) : [part],
  );
  return { ...message, content };
}

/** The call without what only the API that it came from could read. */
function plain(call: Call): Call {
  const {
    actions: _actions,
    safetyChecks: _checks,
    providerData: _data,
    wireArguments: _wire,
    ...rest
  } = call;
  return { ...rest, kind: 'function' };
}

/** Agreements are between a person and the API that asked for them. */
function bare(result: Result): Result {
  const { acknowledgedSafetyChecks: _agreed, providerData: _data, ...rest } = result;
  return rest;
}

/** One result for each call: what was seen is with the last, what went wrong with the first. */
function spread(result: Result, calls: readonly Call[]): readonly Result[] {
  const { artifact } = result;
  return calls.map(({ id, name }, index) => {
    if (index === (result.isError === true ? 0 : calls.length - 1))
      return { ...bare(result), callId: id, name };
    const failed = result.isError === true;
    return {
      callId: id,
      name,
      content: [{ type: 'text', text: failed ? notExecuted : done }],
      ...(failed && { isError: true }),
      ...(artifact !== undefined && { artifact }),
    };
  });
}

/** Two results of one batch: every word that says something, and the newest picture. */
function joined(before: Result, after: Result): Result {
  const said = [...before.content, ...after.content].filter(
    (part) => part.type !== 'image' && !(part.type === 'text' && part.text === done),
  );
  const picture = [...before.content, ...after.content].findLast((part) => part.type === 'image');
  const isError = before.isError === true || after.isError === true;
  return {
    ...before,
    content: picture === undefined ? said : [...said, picture],
    ...(isError && { isError }),
  };
}

/** A scroll by parts of a screen, where the screen is known. */
function inPixels(action: Action, screen: Size | undefined): Action {
  if (action.type !== 'scroll' || action.distanceXy || screen === undefined) return action;
  if (action.unit !== 'norm1000' && action.unit !== 'page') return action;
  const { direction: _direction, magnitude: _magnitude, unit: _unit, ...rest } = action;
  return { ...rest, distanceXy: scrollDistance(action, { screen }) };
}

function hasPoint(action: Action): boolean {
  return (['xy', 'startXy', 'region'] as const).some((field) => Array.isArray(action[field as keyof Action]));
}

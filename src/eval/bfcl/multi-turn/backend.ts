import { bindArguments, type Given } from '../../python/arguments.ts';
import { PythonException } from '../../python/exception.ts';
import { writeJson } from '../../python/json.ts';
import { repr } from '../../python/repr.ts';
import { deepCopy, type PythonDict, type PythonValue } from '../../python/value.ts';
import type { Api, StartApi } from './api.ts';
import { startFileSystem } from './file-system.ts';
import { startMathematics } from './mathematics.ts';
import { startMessages } from './messages.ts';
import { startPosts } from './posts.ts';
import { startTickets } from './tickets.ts';
import { startTrading } from './trading.ts';
import { startTravel } from './travel.ts';
import { startVehicle } from './vehicle.ts';

/** Every API that a question may involve, by the name of its official class, and where its functions are described. */
export const apis: Readonly<Record<string, { readonly start: StartApi; readonly described: string }>> = {
  GorillaFileSystem: { start: startFileSystem, described: 'gorilla_file_system.json' },
  MathAPI: { start: startMathematics, described: 'math_api.json' },
  MessageAPI: { start: startMessages, described: 'message_api.json' },
  TwitterAPI: { start: startPosts, described: 'posting_api.json' },
  TicketAPI: { start: startTickets, described: 'ticket_api.json' },
  TradingBot: { start: startTrading, described: 'trading_bot.json' },
  TravelAPI: { start: startTravel, described: 'travel_booking.json' },
  VehicleControlAPI: { start: startVehicle, described: 'vehicle_control.json' },
};

export interface MadeCall extends Given {
  readonly name: string;
}

/** Names that the official runner refuses, whatever they are. */
const refused = new Set(['kill', 'exit', 'quit', 'remove', 'unlink', 'popen', 'Popen', 'run']);

/** The APIs of one episode, as one side has changed them. */
export class Backend {
  readonly #apis: ReadonlyMap<string, Api>;

  constructor(involved: readonly string[], initial: PythonDict) {
    this.#apis = new Map(
      involved.map((name) => [
        name,
        apis[name]!.start(deepCopy((initial.get(name) as PythonDict | undefined) ?? new Map())),
      ]),
    );
  }

  /** The name of a function's parameter by its place. */
  parameterOf(name: string, at: number): string {
    const parameter = this.#ownerOf(name)![1].methods[name]!.parameters[at]!;
    return typeof parameter === 'string' ? parameter : parameter[0];
  }

  /** A later API's function takes the place of an earlier one's of the same name. */
  #ownerOf(name: string): readonly [type: string, api: Api] | undefined {
    return [...this.#apis].findLast(([, api]) => Object.hasOwn(api.methods, name));
  }

  /** What the caller is told. */
  run({ name, inOrder = [], named }: MadeCall): string {
    if (refused.has(name)) return `Error during execution: Function call ${name} is not allowed.`;
    const owner = this.#ownerOf(name);
    if (owner === undefined) return `Error during execution: name '${name}' is not defined`;
    const [type, { methods }] = owner;
    const { parameters, run } = methods[name]!;
    try {
      const given = { inOrder: inOrder.map(deepCopy), named: deepCopy(named) };
      return told(run(...bindArguments(`${type}.${name}()`, parameters, given)));
    } catch (error) {
      if (error instanceof PythonException) return `Error during execution: ${error.message}`;
      throw error;
    }
  }

  states(): ReadonlyMap<string, PythonDict> {
    return new Map([...this.#apis].map(([name, api]) => [name, api.state()]));
  }
}

function told(result: PythonValue): string {
  if (typeof result === 'string') return result;
  return result instanceof Map ? writeJson(result) : repr(result);
}

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { Scenario } from './scenario.ts';
import type { PathTurn } from './task.ts';
import type { TurnMessage } from './transcript.ts';
import { bindVariant, fillTemplate } from './variant.ts';

/** The written ways through a scenario, for one variant. */
export interface Paths {
  readonly gold: readonly PathTurn[];
  /** From the best to the worst. */
  readonly flawed: readonly FlawedPath[];
  /** How far apart two neighbours are at least. */
  readonly margin: number;
}

export interface FlawedPath {
  readonly id: string;
  readonly kind: string;
  readonly turns: readonly PathTurn[];
  readonly at_most?: number;
  readonly at_least?: number;
  /** What a good judge says of it, by criterion. */
  readonly verdicts?: Readonly<Record<string, number>>;
}

/** The paths of `paths.yaml`, filled in for a variant; `gold: 1-4` means these turns of the gold path. */
export function pathsOf(scenario: Scenario, variant: number): Paths {
  const filled = fillTemplate(scenario.paths, bindVariant(scenario.axes, variant)) as JsonObject;
  const gold = turnsOf(filled['gold'], []);
  const flawed = Array.isArray(filled['flawed'])
    ? (filled['flawed'] as readonly JsonValue[]).filter(isJsonObject)
    : [];
  return {
    gold,
    flawed: flawed.map((path) => ({
      ...(path as unknown as FlawedPath),
      turns: turnsOf(path['turns'], gold),
    })),
    margin: typeof filled['margin'] === 'number' ? filled['margin'] : 0.05,
  };
}

/** Written turns; `gold: 1-4` means these turns of the gold path. */
export function turnsOf(turns: JsonValue | undefined, gold: readonly PathTurn[]): readonly PathTurn[] {
  if (!Array.isArray(turns)) return [];
  return (turns as readonly JsonValue[]).filter(isJsonObject).flatMap((turn) => {
    if (!('gold' in turn)) return [turn as unknown as PathTurn];
    const [from = 1, to = from] = String(turn['gold']).split('-').map(Number);
    return gold.slice(from - 1, to);
  });
}

/** A turn of a path as the messages that a model would send. */
export function messagesOf(turn: PathTurn): readonly TurnMessage[] {
  const calls = (turn.calls ?? []).map((call) => ({ name: call.name, input: call.input }));
  return [{ role: 'assistant', content: turn.say ?? '', ...(calls.length > 0 ? { toolCalls: calls } : {}) }];
}

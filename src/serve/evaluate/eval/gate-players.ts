import { Gate } from '../../../eval/statistics/gate.ts';
import { wilsonInterval } from '../../../eval/statistics/interval.ts';
import { isSuccess, type TaskResult } from '../../../eval/statistics/result.ts';
import type { StudyLog } from '../../../eval/study/study-log.ts';
import type { Cell } from '../../../eval/suite/cells.ts';
import type { JudgeFlags } from '../../terminal/option/judge-option.ts';
import { playSuiteFile } from './play-suite.ts';
import { aligned, interval } from './print-study.ts';
import { studyResults } from './study-results.ts';

interface GateFlags extends Partial<JudgeFlags> {
  readonly atLeast: number;
  readonly trials?: number;
  readonly out?: string;
  readonly scenarios?: string;
  readonly json?: boolean;
}

/** Sends what is in the folder of a study through the gate. True when every player passed. */
export function gateStudy(folder: string, flags: GateFlags): boolean {
  const gates = [...studyResults(folder)].map(([player, results]) => {
    const gate = new PlayerGate(player, flags.atLeast, []);
    for (const result of results) gate.count(result);
    return gate;
  });
  return print(gates, flags);
}

/** Plays a suite until each player has an answer, or all of it is played. True when every player passed. */
export async function gateSuite(file: string, flags: GateFlags): Promise<boolean> {
  let hasPassed = false;
  const gates = new Map<string, PlayerGate>();
  await playSuiteFile(
    file,
    { ...flags, model: [] },
    {
      begin(cells, log) {
        for (const [player, own] of Map.groupBy(cells, (cell) => cell.player.name)) {
          const gate = new PlayerGate(
            player,
            flags.atLeast,
            own.map(({ key }) => key),
          );
          gates.set(player, gate);
          for (const { key } of own) gate.hear(key, known(log, key));
        }
        return {
          isNeeded: ({ player }: Cell) => !gates.get(player.name)!.isDecided,
          onResult: (result) => gates.get(result.player)!.hear(result.key, result),
        };
      },
      print: () => {
        hasPassed = print([...gates.values()], flags);
      },
    },
  );
  return hasPassed;
}

function known(log: StudyLog, key: string): TaskResult | undefined {
  return log.has(key) ? log.last(key) : undefined;
}

/** The gate of one player, who is counted in the order of the suite: those cells that happen to end first do not decide. */
class PlayerGate {
  readonly player: string;
  readonly #gate: Gate;
  readonly #order: readonly string[];
  readonly #ended = new Map<string, TaskResult>();
  #next = 0;
  successes = 0;
  counted = 0;

  constructor(player: string, atLeast: number, order: readonly string[]) {
    this.player = player;
    this.#gate = new Gate(atLeast);
    this.#order = order;
  }

  get isDecided(): boolean {
    return this.#gate.verdict !== 'undecided';
  }

  get verdict(): string {
    return this.#gate.verdict;
  }

  hear(key: string, result: TaskResult | undefined): void {
    if (result !== undefined) this.#ended.set(key, result);
    for (let next = this.#order[this.#next]; next !== undefined; next = this.#order[++this.#next]) {
      const ended = this.#ended.get(next);
      if (ended === undefined) return;
      this.count(ended);
    }
  }

  count(result: TaskResult): void {
    if (this.isDecided) return;
    this.counted += 1;
    if (isSuccess(result)) this.successes += 1;
    this.#gate.add(Number(isSuccess(result)));
  }
}

function print(gates: readonly PlayerGate[], { atLeast, json }: GateFlags): boolean {
  const rows = gates.map(({ player, verdict, successes, counted }) => ({
    player,
    verdict,
    at_least: atLeast,
    successes,
    after: counted,
    interval: counted === 0 ? undefined : wilsonInterval(successes, counted),
  }));
  if (json === true) for (const row of rows) console.log(JSON.stringify(row));
  else
    console.log(
      aligned([
        ['player', 'verdict', 'succeeded', 'of', '95 %'],
        ...rows.map((row) => [
          row.player,
          row.verdict,
          String(row.successes),
          String(row.after),
          interval(row.interval),
        ]),
      ]),
    );
  const undecided = rows.filter(({ verdict }) => verdict === 'undecided').length;
  if (undecided > 0)
    console.error(
      `${undecided} undecided: these trials cannot tell whether the rate is at least ${atLeast}. Allow more (--trials), or ask for less (--at-least).`,
    );
  return rows.every(({ verdict }) => verdict === 'pass');
}

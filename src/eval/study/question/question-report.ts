import type { JsonObject } from '../../../base/json/value.ts';
import type { Cell, QuestionTask } from '../../suite/cells.ts';
import type { StudyResult } from '../study-result.ts';

/** One question as one player answered it. */
export interface QuestionItem extends JsonObject {
  readonly player: string;
  readonly id: string;
  readonly trial: number;
  readonly question: string;
  readonly expected: string;
  readonly answer: string;
  readonly score: number;
  readonly reason: string;
  readonly calls: number;
  /** The tools that were called, in order. */
  readonly tools: string[];
  readonly failed_calls: number;
  readonly error_kinds: string[];
  readonly replies: number;
  readonly tokens: number;
  readonly ended: string;
  readonly empty: boolean;
}

/** How one player went about the questions. */
export interface QuestionUse {
  readonly player: string;
  readonly questions: number;
  readonly score: { readonly average: number; readonly minimum: number; readonly maximum: number };
  readonly calls: {
    readonly total: number;
    readonly average: number;
    readonly minimum: number;
    readonly maximum: number;
  };
  /** The ten that were called most, the first one most often. */
  readonly mostUsed: readonly { readonly tool: string; readonly calls: number }[];
  /** By reply, counted from 1: how often each tool was called in it. */
  readonly toolsByIteration: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly successByTool: Readonly<
    Record<string, { readonly calls: number; readonly succeeded: number; readonly rate: number }>
  >;
  readonly emptyAnswers: number;
  /** Why calls failed, and why runs ended without an answer. */
  readonly errorKinds: Readonly<Record<string, number>>;
}

export function itemOf({ task, trial }: Cell<QuestionTask>, result: StudyResult): QuestionItem | undefined {
  const { answer, reward, turns, spent, player } = result;
  if (answer === undefined) return undefined;
  const failed = answer.calls.filter(({ success }) => !success);
  return {
    player,
    id: task.question.id,
    trial,
    question: task.question.question,
    expected: task.question.answer,
    answer: answer.text,
    score: reward,
    reason: answer.verdict?.reason ?? '',
    calls: answer.calls.length,
    tools: answer.calls.map(({ name }) => name),
    failed_calls: failed.length,
    error_kinds: [...new Set(failed.map(({ error = 'failed' }) => error))],
    replies: turns,
    tokens: spent?.tokens ?? 0,
    ended: answer.ended,
    empty: answer.text.trim() === '',
  };
}

/** What the tools of each player were used for, added up one result after the other. */
export class QuestionUses {
  readonly #players = new Map<string, Sums>();

  add({ player, reward, answer }: StudyResult): void {
    if (answer === undefined) return;
    const sums = this.#players.get(player) ?? new Sums();
    this.#players.set(player, sums);
    sums.scores.add(reward);
    sums.calls.add(answer.calls.length);
    if (answer.text.trim() === '') sums.empty++;
    if (answer.ended !== 'done' && answer.ended !== 'returned') increase(sums.errors, answer.ended);
    for (const { name, iteration, success, error = 'failed' } of answer.calls) {
      increase(sums.tools, name);
      if (success) increase(sums.succeeded, name);
      else increase(sums.errors, error);
      const inIteration = sums.iterations.get(iteration) ?? new Map<string, number>();
      sums.iterations.set(iteration, inIteration);
      increase(inIteration, name);
    }
  }

  list(): readonly QuestionUse[] {
    return [...this.#players].map(([player, sums]) => {
      const most = [...sums.tools].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      const iterations = [...sums.iterations].toSorted(([a], [b]) => a - b);
      const { average, minimum, maximum } = sums.scores;
      return {
        player,
        questions: sums.scores.count,
        score: { average, minimum, maximum },
        calls: {
          total: sums.calls.total,
          average: sums.calls.average,
          minimum: sums.calls.minimum,
          maximum: sums.calls.maximum,
        },
        mostUsed: most.slice(0, 10).map(([tool, calls]) => ({ tool, calls })),
        toolsByIteration: Object.fromEntries(
          iterations.map(([iteration, tools]) => [iteration, Object.fromEntries(tools)]),
        ),
        successByTool: Object.fromEntries(
          most.map(([tool, calls]) => {
            const succeeded = sums.succeeded.get(tool) ?? 0;
            return [tool, { calls, succeeded, rate: succeeded / calls }];
          }),
        ),
        emptyAnswers: sums.empty,
        errorKinds: Object.fromEntries(sums.errors),
      };
    });
  }
}

class Sums {
  readonly scores = new Spread();
  readonly calls = new Spread();
  readonly tools = new Map<string, number>();
  readonly succeeded = new Map<string, number>();
  readonly errors = new Map<string, number>();
  readonly iterations = new Map<number, Map<string, number>>();
  empty = 0;
}

class Spread {
  count = 0;
  total = 0;
  minimum = Infinity;
  maximum = -Infinity;

  get average(): number {
    return this.total / this.count;
  }

  add(value: number): void {
    this.count++;
    this.total += value;
    this.minimum = Math.min(this.minimum, value);
    this.maximum = Math.max(this.maximum, value);
  }
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const columns = [
  'player',
  'id',
  'trial',
  'question',
  'expected',
  'answer',
  'score',
  'reason',
  'calls',
  'tools',
  'failed_calls',
  'error_kinds',
  'replies',
  'tokens',
  'ended',
  'empty',
] as const;

/** The first line of a table of items. */
export const itemsHead = columns.join(',');

export function itemRow(item: QuestionItem): string {
  return columns.map((column) => field([item[column] ?? ''].flat().map(String).join(' '))).join(',');
}

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe. */
function field(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import type { JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { listOf } from '../scenario/json-list.ts';
import { messagesOf } from '../scenario/paths.ts';
import type { SourceLocation } from '../scenario/diagnostic.ts';
import { changedScenario } from '../scenario/scenario.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { PathTurn, Task, WorldAnswer, WorldFunction } from '../scenario/task.ts';
import type { Transcript, TurnMessage } from '../scenario/transcript.ts';
import type { Grade } from '../score/grade.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { Findings, Spans } from './report.ts';
import type { Verdicts } from '../score/verdict.ts';
import { type ActedPaths, pathKey } from './act-paths.ts';
import { playKnown } from './play-known.ts';
import { saysTooLong } from '../scenario/time-limit.ts';
import { worldFaultIn } from '../play/world-fault.ts';

/** A check while it runs: what it found so far. */
export interface CheckContext {
  readonly scenario: Scenario;
  readonly faults: Findings;
  readonly warnings: Findings;
  readonly paths: Spans;
  readonly exploits: Spans;
  /** What became of each criterion in whatever was played. */
  readonly outcomes: Map<string, Set<number>>;
  /** The facts that code revealed, by whatever names. */
  readonly shown: Set<string>;
  /** What was done on a page before the check began. */
  readonly acted?: ActedPaths | undefined;
}

/** Thrown where the world never ended: whatever else is played would wait for it again, and again. */
export class WorldNeverEnds extends Error {}

export function beginCheck(given: Scenario, acted?: ActedPaths): CheckContext {
  const shown = new Set<string>();
  const code = Object.entries(given.code).map(([id, run]) => [id, noting(run, shown)] as const);
  return {
    scenario: code.length === 0 ? given : changedScenario(given, { code: Object.fromEntries(code) }),
    shown,
    acted,
    faults: new Findings(),
    warnings: new Findings(),
    paths: new Spans(),
    exploits: new Spans(),
    outcomes: new Map(),
  };
}

/** The same function; the facts that it reveals are noted. */
function noting(run: WorldFunction, shown: Set<string>): WorldFunction {
  return (world, input) => {
    const answer: unknown = run(world, input);
    const { reveals } = (answer ?? {}) as { readonly reveals?: unknown };
    if (Array.isArray(reveals)) for (const id of reveals) shown.add(String(id));
    return answer as WorldAnswer;
  };
}

/** Plays and grades turns, and remembers what became of each criterion. A world that breaks is a fault, whoever breaks it. */
export function playAndGrade(
  context: CheckContext,
  task: Task,
  play: { readonly turns: Iterable<readonly TurnMessage[]>; readonly verdicts: Verdicts },
): { readonly transcript: Transcript; readonly grade: Grade } {
  const turns = task.page === undefined ? play.turns : [...play.turns];
  const acted = Array.isArray(turns) ? context.acted?.get(pathKey(task, turns)) : undefined;
  const transcript = playKnown(task, turns, acted);
  const grade = gradeTranscript(task, transcript, { verdicts: play.verdicts });
  if (transcript.terminalReason === 'error') {
    const broke = worldFaultIn(task, transcript.turns);
    context.faults.add(
      broke?.message ?? 'The world broke once, and not the second time.',
      locationOf(context, ['code']),
      task.reference.variant,
    );
    if (broke && saysTooLong(broke.message)) throw new WorldNeverEnds();
  }
  const { failure_metrics, success_metrics, best_practices, rubrics } = grade.dimensions;
  for (const { criteria } of [failure_metrics, success_metrics, best_practices, rubrics])
    for (const one of criteria) note(context, one.id, one.earned);
  // What a rule of scope or terminology takes stands among the reasons only where it was broken.
  for (const one of grade.reasons)
    if (one.earned < 0 || one.kind === 'prohibited' || one.kind === 'fatal') note(context, one.id, -1);
  return { transcript, grade };
}

function note(context: CheckContext, id: string, earned: number): void {
  const known = context.outcomes.get(id) ?? new Set();
  context.outcomes.set(id, known.add(earned));
}

export function pathMessages(turns: readonly PathTurn[]): readonly (readonly TurnMessage[])[] {
  return turns.map(messagesOf);
}

export function locationOf({ scenario }: CheckContext, path: readonly (string | number)[]): SourceLocation {
  return scenario.source.locate(path);
}

/** The path to an item of a list of the scenario, by its id. */
export function pathOf({ scenario }: CheckContext, list: string, id: string): readonly (string | number)[] {
  return [list, Math.max(0, indexIn(scenario.template[list], id))];
}

export function indexIn(list: JsonValue | undefined, id: string): number {
  return listOf(list).findIndex((one) => isJsonObject(one) && one['id'] === id);
}

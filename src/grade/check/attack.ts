import { playThrough } from '../play/play-through.ts';
import { buildTask } from '../scenario/build-task.ts';
import type { SourceLocation } from '../scenario/diagnostic.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Task } from '../scenario/task.ts';
import type { TurnMessage } from '../scenario/transcript.ts';
import type { CriterionGrade } from '../score/grade.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { exploitLimit, exploits } from './exploit.ts';
import { searchExploit } from './search-exploit.ts';
import { placeOfCriterion } from './shrink/criterion-place.ts';
import { shrinkTranscript, type Shrunk } from './shrink/shrink.ts';

export interface AttackOptions {
  /** How many transcripts are tried in all. */
  readonly transcripts: number;
  /** Another seed tries others. */
  readonly seed?: number;
  /** Only this variant; by default each climb takes the next one. */
  readonly variant?: number;
  /** Hears after each climb how many were tried, and the best reward so far. */
  readonly onClimb?: (tried: number, best: number) => void;
}

/** The best that no work earned, as short as it can be, and what paid for it. */
export interface Attack {
  readonly tried: number;
  readonly variant: number;
  /** Of the best transcript; the scenario withstands when it is no more than `limit`. */
  readonly reward: number;
  readonly limit: number;
  readonly withstands: boolean;
  /** The best transcript, shrunk to what earns the same. */
  readonly shrunk: Shrunk;
  /** What paid for it, the most first, with the line to mend. */
  readonly paid: readonly Payment[];
}

export interface Payment {
  readonly criterion: CriterionGrade;
  readonly place: SourceLocation;
}

/** A climb finds little after so many steps that it did not find before: another one begins from nothing. */
const climb = 1000;

/**
 * Looks for a reward that no work was done for, as it is done for the bundled scenarios: first the built-in cheats, then
 * climbs from nothing, over the variants in turn.
 */
export function attackScenario(
  scenario: Scenario,
  { transcripts, seed = 0, variant, onClimb }: AttackOptions,
): Attack {
  const taskAt = (index: number) => buildTask(scenario, variant ?? index % scenario.variants);
  let task = taskAt(0);
  let best = bestCheat(task, transcripts);
  let { tried } = best;
  for (let index = 0; tried < transcripts; index++) {
    const steps = Math.min(climb, transcripts - tried);
    const next = index === 0 ? task : taskAt(index);
    const found = searchExploit(next, { seed: seed * 7919 + index, steps });
    tried += steps;
    if (found.reward > best.reward) {
      task = next;
      best = { ...found, tried, turns: found.turns.map((turn) => [turn]) };
    }
    onClimb?.(tried, best.reward);
  }
  const shrunk = shrinkTranscript(task, playThrough(task, best.turns), { reward: best.reward });
  return {
    tried,
    variant: task.reference.variant,
    reward: best.reward,
    limit: exploitLimit,
    withstands: best.reward <= exploitLimit,
    shrunk,
    paid: shrunk.after.reasons
      .filter(({ earned }) => earned > 0)
      .toSorted((a, b) => b.earned - a.earned)
      .map((criterion) => ({ criterion, place: placeOfCriterion(scenario, criterion) })),
  };
}

function bestCheat(task: Task, most: number) {
  let best: { readonly reward: number; readonly turns: readonly (readonly TurnMessage[])[] } = {
    reward: 0,
    turns: [],
  };
  let tried = 0;
  for (const turns of exploits.flatMap(({ attempts }) => attempts(task)).slice(0, most)) {
    const { reward } = gradeTranscript(task, playThrough(task, turns));
    tried += 1;
    if (reward > best.reward) best = { reward, turns };
  }
  return { ...best, tried };
}

import { canonicalJson } from '../../base/json/canonical.ts';
import { pathsOf } from '../scenario/paths.ts';
import { playThrough } from '../play/play-through.ts';
import { endsOf } from '../play/session.ts';
import type { Task } from '../scenario/task.ts';
import type { Transcript } from '../scenario/transcript.ts';
import { indexIn, pathMessages, locationOf, playAndGrade } from './check-context.ts';
import type { CheckContext } from './check-context.ts';
import { exploitLimit, exploits, shapedLimit } from './exploit.ts';
import type { Grade } from '../score/grade.ts';
import { gradeTranscript } from '../score/grade-transcript.ts';
import { equalWeights, shapedMean } from '../score/shaped.ts';
import { bestVerdicts } from '../score/verdict.ts';
import type { Verdicts } from '../score/verdict.ts';

/** The gold path must earn exactly 1: else an expectation cannot be met, or the path is not gold. */
export function checkGold(context: CheckContext, task: Task): Grade | undefined {
  const { scenario, faults } = context;
  const place = scenario.pathsSource?.locate(['gold']) ?? scenario.source.locate([]);
  const { variant } = task.reference;
  if (task.gold.length === 0) {
    faults.add(
      'There is no gold path: nothing shows that the scenario can be won. Write "gold" in paths.yaml.',
      place,
    );
    return undefined;
  }
  const turns = pathMessages(task.gold);
  const { transcript, grade } = playAndGrade(context, task, { turns, verdicts: bestVerdicts(task) });
  context.paths.add('gold', grade.reward);
  if (grade.reward !== 1) {
    const lost = grade.reasons
      .filter((one) => one.earned < one.possible || one.earned < 0)
      .map((one) => one.reason);
    faults.add(
      `The gold path earns ${grade.reward.toFixed(3)}, not 1. ${lost.slice(0, 3).join(' ') || 'No required expectation holds.'}`,
      place,
      variant,
    );
  }
  for (const { id, earned, possible } of grade.dimensions.best_practices.criteria)
    if (earned < possible)
      context.warnings.add(
        `The gold path does not follow "${id}". Show it there, or take it away.`,
        place,
        variant,
      );
  const ends = endsOf(task, task.sessions.length);
  if (ends.length > 0 && transcript.terminalReason !== 'completed')
    faults.add(`The gold path does not complete the episode: ${ends.join(', ')} would.`, place, variant);
  if (transcript.turns.length < task.gold.length)
    faults.add(
      `The gold path goes on after the end, which comes at turn ${transcript.turns.length}.`,
      place,
      variant,
    );
  // Only code can answer otherwise the second time.
  if (Object.keys(scenario.code).length > 0 && textOf(transcript) !== textOf(playThrough(task, turns)))
    faults.add(
      'The same turns were answered otherwise the second time. Take clock, chance and memory out of the code.',
      locationOf(context, ['code']),
      variant,
    );
  return grade;
}

function textOf({ turns, state }: Transcript): string {
  return canonicalJson([
    turns.map(({ outcomes, observation }) => JSON.stringify([outcomes, observation])),
    state?.world ?? null,
  ]);
}

/** The flawed paths stand from the best to the worst, each well below the one before. */
export function checkFlawed(context: CheckContext, task: Task, gold: number): void {
  const { scenario, faults } = context;
  const { variant } = task.reference;
  const written = pathsOf(scenario, variant);
  let above = { id: 'gold', reward: gold };
  for (const path of written.flawed) {
    const index = indexIn(scenario.paths['flawed'], path.id);
    const place = scenario.pathsSource!.locate(['flawed', index]);
    const verdicts = verdictsOf(task, path.verdicts ?? {});
    const { reward } = playAndGrade(context, task, { turns: pathMessages(path.turns), verdicts }).grade;
    context.paths.add(path.id, reward);
    // Nothing is below nothing: several paths may earn 0, one after the other.
    if (above.reward > 0 && reward > above.reward - written.margin + 1e-9)
      faults.add(
        `"${path.id}" earns ${reward.toFixed(3)}; it should be ${written.margin} or more below "${above.id}" (${above.reward.toFixed(3)}).`,
        place,
        variant,
      );
    else if (above.reward === 0 && reward > 0)
      faults.add(
        `"${path.id}" earns ${reward.toFixed(3)}, and "${above.id}" before it nothing. From the best to the worst: move it up, or find what pays it.`,
        place,
        variant,
      );
    if (path.at_most !== undefined && reward > path.at_most)
      faults.add(`"${path.id}" earns ${reward.toFixed(3)}, more than ${path.at_most}.`, place, variant);
    if (path.at_least !== undefined && reward < path.at_least)
      faults.add(`"${path.id}" earns ${reward.toFixed(3)}, less than ${path.at_least}.`, place, variant);
    above = { id: path.id, reward };
  }
}

/** No judge is asked in a check: a path says what a good one would say of it. */
function verdictsOf(task: Task, written: Readonly<Record<string, number>>): Verdicts {
  const said = Object.entries(written).map(([id, score]) => [
    id,
    { score, votes: [score], reason: 'As written.' },
  ]);
  return { ...bestVerdicts(task), ...(Object.fromEntries(said) as Verdicts) };
}

/** None of the built-in cheats pays, and silence earns nothing at all. */
export function checkCheats(context: CheckContext, task: Task): void {
  const verdicts = bestVerdicts(task);
  const isJudged = Object.keys(verdicts).length > 0;
  for (const exploit of exploits) {
    const attempts = exploit.attempts(task).map((turns) => playAndGrade(context, task, { turns, verdicts }));
    const best = Math.max(0, ...attempts.map(({ grade }) => grade.reward));
    context.exploits.add(exploit.name, best);
    // A judge is not taken to be won over here: what it is worth is looked at where it is measured.
    const evenly = Math.max(
      0,
      ...attempts.map(({ transcript, grade }) => {
        const { dimensions } = isJudged ? gradeTranscript(task, transcript) : grade;
        return shapedMean(dimensions, equalWeights);
      }),
    );
    const limit = exploit.name === 'silent' ? 0 : exploitLimit;
    if (best > limit || evenly > shapedLimit)
      context.faults.add(
        `The cheat "${exploit.name}" (${exploit.description}) earns ${best.toFixed(3)}, and ${evenly.toFixed(3)} with equal weights; ${limit} and ${shapedLimit} are the most it may. Let calls rest on more facts, and what is right vary more and seldom be the first of its list.`,
        locationOf(context, ['expect']),
        task.reference.variant,
      );
  }
}

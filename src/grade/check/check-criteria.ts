import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { listOf } from '../scenario/json-list.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { buildTask } from '../scenario/build-task.ts';
import { indexIn, locationOf } from './check-context.ts';
import type { CheckContext } from './check-context.ts';
import { readLabels } from './labels.ts';
import { isAdvisory, judgedCriteria, leastAgreement } from '../score/verdict.ts';

/** Criteria that change nothing, whatever is done: by how they are written, and in all that was played. */
export function checkMatter(context: CheckContext): void {
  const criteria = criteriaOf(context);
  for (const [group, list] of Object.entries(criteria))
    listOf(list).forEach((one, index) => {
      if (!isJsonObject(one)) return;
      const place = locationOf(context, ['criteria', group, index]);
      const id = String(one['id']);
      if (group === 'scope' && 'when_found' in one && one['kind'] !== 'must_refer')
        context.faults.add(
          `"when_found" says when one must refer, and "${id}" is ${one['kind'] === 'may' ? 'allowed' : 'prohibited'} at any time. Add "kind: must_refer", or take it away.`,
          place,
        );
      const never = whyNever(group, one);
      if (never !== undefined) context.faults.add(`"${id}" never matters: ${never}.`, place);
      else if ('judge' in one) return;
      else if (one['kind'] === 'may') return;
      else if (subtracts.has(group)) {
        if (!isBroken(context, id))
          context.warnings.add(
            `Nothing that was played breaks "${id}": nobody knows whether it matters. Write a flawed path that does.`,
            place,
          );
      } else if (context.outcomes.get(id)?.size === 1)
        context.faults.add(
          `"${id}" never matters: it comes out the same in all that was played, the gold path and silence too.`,
          place,
        );
    });
}

/** Expected calls, and fields of them, that earn nothing and that nothing asks for. */
export function checkExpected(context: CheckContext): void {
  const { faults, scenario } = context;
  const expected = listOf(scenario.template['expect']).filter(isJsonObject);
  const followed = new Set(expected.flatMap(({ follows }) => listOf(follows)));
  const isIdle = ({ weight, required }: JsonObject): boolean => weight === 0 && required === false;
  expected.forEach((one, index) => {
    const id = String(one['id'] ?? one['call']);
    const place = ['expect', index];
    if (isIdle(one) && !followed.has(id))
      faults.add(
        `"${id}" never matters: its weight is 0, it is not required, and no other call follows it.`,
        locationOf(context, place),
      );
    for (const [field, wanted] of Object.entries(isJsonObject(one['input']) ? one['input'] : {}))
      if (isJsonObject(wanted) && isIdle(wanted))
        faults.add(
          `"${field}" of "${id}" never matters: its weight is 0, and it is not required.`,
          locationOf(context, [...place, 'input', field]),
        );
  });
}

const subtracts: ReadonlySet<string> = new Set(['failure', 'scope', 'terminology']);

function whyNever(group: string, one: JsonObject): string | undefined {
  if (one['weight'] === 0 || one['penalty'] === 0) return 'its weight is 0';
  if (group === 'terminology' || 'judge' in one) return undefined;
  if (!('check' in one) && !('levels' in one)) return 'it has neither a check nor a judge';
  if (one['kind'] === 'may' && !(isJsonObject(one['check']) && 'called' in one['check']))
    return 'what nothing forbids may be said anyway. Name the call that costs nothing: "check: {called: …}"';
  const scores = listOf(one['levels']).map((level) => (isJsonObject(level) ? level['score'] : 0));
  return group === 'rubrics' && new Set(scores).size < 2 ? 'its levels all have the same score' : undefined;
}

/** A failure that did not happen earns 1; what is broken takes away, or earns nothing. */
function isBroken({ outcomes }: CheckContext, id: string): boolean {
  return [...(outcomes.get(id) ?? [])].some((earned) => earned <= 0);
}

export interface Decider {
  readonly criterion: string;
  /** What was said, what was done, or a model; and a model where words alone do not settle it. */
  readonly by: 'words' | 'deeds' | 'judge' | 'words, then a judge';
}

/** Who decides of each criterion: without a judge what is a judge's is not judged, and pays nothing. */
export function decidersOf({ template }: Scenario): readonly Decider[] {
  const criteria = isJsonObject(template['criteria']) ? template['criteria'] : {};
  return Object.entries(criteria).flatMap(([group, list]) =>
    listOf(list)
      .filter(isJsonObject)
      .map((one) => ({ criterion: String(one['id']), by: deciderOf(group, one) })),
  );
}

function deciderOf(group: string, one: JsonObject): Decider['by'] {
  if ('judge' in one) return group === 'failure' && 'check' in one ? 'words, then a judge' : 'judge';
  const { check, levels } = one;
  return group === 'terminology' || ofWords.test(JSON.stringify([check ?? null, levels ?? null]))
    ? 'words'
    : 'deeds';
}

const ofWords = /"(?:said|asked|advises|claims|wrote|courtesy)":/;

/** What people said of conversations must fit the criteria; a judge that counts should show what its agreement rests on. */
export function checkJudges(context: CheckContext): void {
  const { scenario, faults, warnings } = context;
  const labels = readLabels(scenario);
  for (const fault of labels.faults) faults.add(fault.message, fault.place);
  checkAsked(context);
  const criteria = criteriaOf(context);
  for (const { id, judge } of judgedCriteria(buildTask(scenario, 0))) {
    if (judge.agreement === undefined) continue;
    const group = Object.keys(criteria).find((name) => indexIn(criteria[name], id) >= 0) ?? '';
    const place = locationOf(context, ['criteria', group, indexIn(criteria[group], id), 'judge']);
    if (judge.model === undefined)
      warnings.add(
        `The agreement of "${id}" is that of one model. Name it: any other may judge otherwise.`,
        place,
      );
    if (!labels.labelled.some((one) => id in one.labels))
      warnings.add(
        `Nothing shows the agreement of "${id}". Write conversations with their labels in labels.yaml.`,
        place,
      );
    if (isAdvisory(judge))
      warnings.add(
        `"${id}" counts for nothing: an agreement of ${judge.agreement} is below ${leastAgreement}.`,
        place,
      );
  }
}

/** A judge that is never asked, or could not answer. */
function checkAsked(context: CheckContext): void {
  const { faults, warnings } = context;
  for (const [group, list] of Object.entries(criteriaOf(context)))
    listOf(list).forEach((one, index) => {
      if (!isJsonObject(one) || !('judge' in one)) return;
      const place = locationOf(context, ['criteria', group, index, 'judge']);
      const levels = listOf(one['levels']).filter(isJsonObject);
      const scores = new Set(levels.map(({ score }) => score));
      if (group === 'rubrics' && scores.size < 2)
        faults.add(
          `"${String(one['id'])}" cannot be judged: it has no two levels with different scores.`,
          place,
        );
      const goesOn = group === 'failure';
      if ((!goesOn && 'check' in one) || levels.some((level) => 'check' in level))
        warnings.add(
          group === 'rubrics'
            ? `The checks of the levels of "${String(one['id'])}" are not looked at: it has a judge.`
            : `The judge of "${String(one['id'])}" is never asked: it has a check.`,
          place,
        );
    });
}

function criteriaOf({ scenario }: CheckContext): JsonObject {
  return isJsonObject(scenario.template['criteria']) ? scenario.template['criteria'] : {};
}

import type { CriterionGrade, Grade } from '../../../grade/score/grade.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { Failure } from '../../api/comparison.ts';
import type { ServerContext } from '../../http/context.ts';
import { answerJson, type Endpoint } from './endpoint.ts';
import { beReadyFor, readFilter } from './read-filter.ts';

/** How many episodes are looked at, and how many of them are named as examples. */
const mostEpisodes = 2000;
const mostExamples = 5;
const page = 200;

/** What was missed, criterion by criterion: for keys that may explain. */
export function failureEndpoints({ engine }: ServerContext): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/failures',
      operation: 'listFailures',
      answer: async (c) => {
        const { caller } = c.var.identity;
        const filter = { ...readFilter(c), status: 'complete' as const };
        await beReadyFor(engine.store, filter);
        const found = new Map<string, Failure>();
        let episodes = 0;
        let before: { readonly createdAt: number; readonly id: string } | undefined;
        // Page by page, so that others get their turn between them.
        for (let isMore = caller.explain; isMore && episodes < mostEpisodes;) {
          const records = await engine.list({ ...filter, limit: page, ...(before && { before }) });
          for (const record of records) addFailures(found, record);
          episodes += records.length;
          before = records.at(-1);
          isMore = records.length === page;
        }
        const failures = [...found.values()]
          .map((one) => ({ ...one, examples: worst(one.examples) }))
          .toSorted((one, other) => other.lost - one.lost || other.episodes - one.episodes);
        return answerJson(c, { episodes, cut: episodes >= mostEpisodes, failures });
      },
    },
  ];
}

function addFailures(found: Map<string, Failure>, record: EpisodeRecord): void {
  const { collection, scenario, id: episode, reward, grade } = record;
  if (grade === null) return;
  for (const criterion of missedIn(JSON.parse(grade) as Grade)) {
    const { kind, id, reason, turn } = criterion;
    const key = `${collection}/${scenario}/${kind}/${id}`;
    const known = found.get(key) ?? {
      ...{ collection, scenario, kind, id, reason },
      episodes: 0,
      lost: 0,
      examples: [],
    };
    const example = { episode_id: episode, reward: reward ?? 0, ...(turn !== undefined && { turn }) };
    found.set(key, {
      ...known,
      episodes: known.episodes + 1,
      lost: known.lost + Math.max(0, criterion.possible) - criterion.earned,
      examples: worst([...known.examples, example]),
    });
  }
}

/** What held back the reward: credit that was not earned, penalties, a closed gate, and what success requires. */
function missedIn({ reasons, dimensions }: Grade): readonly CriterionGrade[] {
  const required = dimensions?.success_metrics?.criteria ?? [];
  return [...(reasons ?? []), ...required.filter(({ kind }) => kind === 'required')].filter(
    ({ kind, earned, possible, notJudged }) =>
      notJudged !== true && (earned < possible || earned < 0 || kind === 'fatal' || kind === 'prohibited'),
  );
}

function worst(examples: Failure['examples']): Failure['examples'] {
  return examples.toSorted((one, other) => one.reward - other.reward).slice(0, mostExamples);
}

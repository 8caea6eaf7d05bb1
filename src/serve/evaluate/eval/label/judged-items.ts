import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { isJsonObject, type JsonObject } from '../../../../base/json/value.ts';
import { textOf, type Message } from '../../../../base/message/message.ts';
import { benchmarkMessages } from '../../../../eval/exchange/log/benchmark-line.ts';
import { readStudyLog } from '../../../../eval/study/read-study-log.ts';
import type { StudyResult } from '../../../../eval/study/study-result.ts';
import { labelOf } from '../../../../grade/episode/judge/agreement.ts';
import { storedTranscript } from '../../../../grade/episode/stored-transcript.ts';
import { TaskBook } from '../../../../grade/episode/task-book.ts';
import { loadCatalog } from '../../../../grade/scenario/load/catalog.ts';
import type { Grade } from '../../../../grade/score/grade.ts';
import { judgedCriteria } from '../../../../grade/score/verdict.ts';
import type { Store } from '../../../../grade/store/store.ts';
import { transcriptText } from '../../../terminal/transcript-text.ts';
import { episodesOf } from '../../exchange/read-study.ts';
import { openKept } from '../../../terminal/option/data-option.ts';
import { scenarioFolder } from '../../../terminal/scenario-folder.ts';
import { harmless } from '../../../terminal/terminal-text.ts';

export type LabelValue = boolean | string;

/** Something that a judge decides, or is to decide, and that a person can decide too. */
export interface JudgedItem {
  readonly key: string;
  readonly criterion: string;
  /** What is asked: yes or no, or one of these. */
  readonly question: string;
  readonly choices: readonly string[];
  /** What the judge said; absent where it was not asked, or failed. */
  readonly verdict?: LabelValue;
  /** Who judged, by which prompt: another prompt is another judge. */
  readonly judge?: string;
  /** What is to be read before deciding. */
  shown(): Promise<string>;
}

/** Everything of a study that is judged by a model: answers to questions, claims of a benchmark, criteria of scenarios. */
export async function* judgedItems(
  folder: string,
  scenarios: string | undefined,
): AsyncGenerator<JudgedItem> {
  await using store = existsSync(episodesOf(folder)) ? await openKept(episodesOf(folder)) : undefined;
  let tasks: TaskBook | undefined;
  for (const result of readStudyLog(join(folder, 'log.jsonl'))) {
    yield* ofAnswer(result);
    yield* ofClaims(result);
    if (result.episode === undefined || store === undefined) continue;
    tasks ??= new TaskBook(loadCatalog(scenarioFolder(scenarios)));
    yield* ofEpisode(result, store, tasks);
  }
}

function* ofAnswer({ key, answer }: StudyResult): Generator<JudgedItem> {
  if (answer === undefined) return;
  const { verdict } = answer;
  if (verdict?.model === undefined) return;
  const asked = answer.messages.find(({ role }) => role === 'user');
  yield {
    key,
    criterion: 'answer',
    question: 'Is the answer right?',
    choices: [],
    verdict: verdict.score === 1,
    judge: judgeName(verdict.model, verdict.promptHash),
    shown: () =>
      Promise.resolve(
        harmless(
          `Question: ${asked === undefined ? key : textOf(asked)}\n${verdict.expected === undefined ? '' : `Expected: ${verdict.expected}\n`}Answer:   ${answer.text}`,
        ),
      ),
  };
}

function* ofClaims({ key, played }: StudyResult): Generator<JudgedItem> {
  if (played === undefined) return;
  const line: unknown = JSON.parse(played.line);
  if (!isJsonObject(line) || !Array.isArray(line['nl_verdicts'])) return;
  const claims = claimsOf(line);
  for (const [index, holds] of line['nl_verdicts'].entries()) {
    if (typeof holds !== 'boolean' || claims[index] === undefined) continue;
    yield {
      key,
      criterion: `claim ${index + 1}`,
      question: `Does this hold? ${claims[index]}`,
      choices: [],
      verdict: holds,
      ...(played.judge !== undefined && { judge: judgeName(played.judge.model, played.judge.promptHash) }),
      shown: () => Promise.resolve(harmless(benchmarkMessages(played.line).map(lineOf).join('\n'))),
    };
  }
}

function claimsOf({ task }: JsonObject): readonly string[] {
  const criteria = isJsonObject(task) ? task['evaluation_criteria'] : undefined;
  const claims = isJsonObject(criteria) ? criteria['nl_assertions'] : undefined;
  return Array.isArray(claims) ? claims.map(String) : [];
}

function lineOf(message: Message): string {
  if (message.role === 'tool')
    return message.results.map((each) => `← ${JSON.stringify(each.content)}`).join('\n');
  const calls =
    message.role === 'assistant'
      ? message.content.flatMap((part) =>
          part.type === 'call' ? [`→ ${part.name} ${JSON.stringify(part.arguments)}`] : [],
        )
      : [];
  const words = textOf(message);
  return [...(words === '' ? [] : [`${message.role}: ${words}`]), ...calls].join('\n');
}

async function* ofEpisode(
  { key, episode }: StudyResult,
  store: Store,
  tasks: TaskBook,
): AsyncGenerator<JudgedItem> {
  const record = await store.readEpisode(episode!);
  if (record === undefined) return;
  const { collection, scenario } = record;
  const task = tasks.taskOf(record);
  // Written by the engine, from a value of this type.
  const grade = record.grade === null ? undefined : (JSON.parse(record.grade) as Grade);
  for (const criterion of judgedCriteria(task)) {
    const verdict = grade?.verdicts?.[criterion.id];
    const said = verdict && labelOf(verdict, criterion);
    yield {
      key,
      criterion: `${collection}/${scenario}: ${criterion.id}`,
      question: criterion.text,
      choices: criterion.levels?.map(({ label }) => label) ?? [],
      ...(said !== undefined && { verdict: said }),
      ...(verdict?.model !== undefined && { judge: judgeName(verdict.model, verdict.promptHash) }),
      shown: async () => transcriptText(await storedTranscript(record, store)),
    };
  }
}

function judgeName(model: string, promptHash: string | undefined): string {
  return promptHash === undefined ? model : `${model} (prompt ${promptHash.slice(0, 8)})`;
}

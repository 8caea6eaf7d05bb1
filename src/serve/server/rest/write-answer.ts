import type { EpisodeEngine } from '../../../grade/episode/engine.ts';
import type { LiveEpisode } from '../../../grade/episode/live-episode.ts';
import { breakdownOf, numbersOf, type TurnOutcome } from '../../../grade/episode/outcome.ts';
import type { Caller, EpisodeOptions } from '../../../grade/episode/request.ts';
import type { Scenario } from '../../../grade/scenario/scenario.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import type { Observation, TurnMessage } from '../../../grade/scenario/transcript.ts';
import type { Grade } from '../../../grade/score/grade.ts';
import type { EpisodeRecord, KeyRecord, TurnRecord } from '../../../grade/store/record.ts';
import type { CatalogAnswer, ScenarioAnswer, ScenarioEntry } from '../../api/catalog.ts';
import type {
  EndEpisodeAnswer,
  EpisodeAnswer,
  EpisodeDetail,
  EpisodeSummary,
  ForkAnswer,
  ForkOrigin,
} from '../../api/episode.ts';
import type { EpisodeTurn, TurnOutcome as TurnOutcomeView } from '../../api/turn.ts';
import type { Evaluation } from '../../api/evaluation.ts';
import type { GradeNumbers as GradeNumbersView } from '../../api/grade.ts';
import type { KeyAnswer, RateLimit } from '../../api/key.ts';
import { limits } from '../../api/limit.ts';
import type { EpisodeTool, Message } from '../../api/message.ts';
import type { PlayerCard } from '../../api/player.ts';
import { splitType } from '../../http/split-type.ts';
import { writeFaults, writeNumbers } from '../../http/write-numbers.ts';
import { writeExplanation } from './write-explanation.ts';
import { exchangesIn, writeUsage } from './usage.ts';
import type { TerminalReason } from '../../../grade/scenario/play-state.ts';

/** An answer without its `request_id`, which is fresh for each request. */
export type Bare<Answer> = Omit<Answer, 'request_id'>;

export function writeCreated(record: EpisodeRecord, task: Task): Bare<EpisodeAnswer> {
  return {
    episode_id: record.id,
    initial_observation: JSON.parse(record.opening) as Observation,
    tools: writeTools(task),
    // Written by the engine, from a value of this type.
    max_turns: (JSON.parse(record.options) as EpisodeOptions).maxTurns,
  };
}

export function writeForked(
  record: EpisodeRecord,
  task: Task,
  { rows, caller }: { readonly rows: readonly TurnRecord[]; readonly caller: Caller },
): Bare<ForkAnswer> {
  const { forkedFrom } = JSON.parse(record.options) as EpisodeOptions;
  return {
    ...writeCreated(record, task),
    forked_from: writeOrigin(forkedFrom!),
    turns: rows.map((row) => writeStoredTurn(row, caller)),
  };
}

function writeOrigin({ episode, turn }: NonNullable<EpisodeOptions['forkedFrom']>): ForkOrigin {
  return { episode_id: episode, turn };
}

/** The same outcome gives the same bytes: a repeat is answered from what is stored. */
export function writeTurn(outcome: TurnOutcome, caller: Caller): TurnOutcomeView {
  const { numbers, breakdown, results } = outcome;
  return {
    turn: outcome.turn,
    observation: outcome.observation,
    reward: numbers?.reward ?? 0,
    episode_complete: outcome.ended !== undefined,
    ...(results.length > 0 && {
      results: results.map(({ name, output, isError }) => ({
        name,
        output,
        ...(isError && { is_error: true }),
      })),
    }),
    ...(numbers && {
      success: numbers.success,
      progress: numbers.progress,
      gate: numbers.gate,
      shaped: numbers.shaped,
      scores: numbers.scores,
      ...writeFaults({ notJudged: numbers.notJudged, personFault: numbers.personFault }),
    }),
    ...(breakdown && caller.explain && { score_breakdown: breakdown }),
    ...(outcome.ended !== undefined && { terminal_reason: outcome.ended }),
  };
}

export function writeSummary(record: EpisodeRecord): EpisodeSummary {
  return {
    episode_id: record.id,
    collection_slug: record.collection,
    scenario_slug: record.scenario,
    variant: record.variant,
    seed: record.seed,
    version: record.version,
    group: record.group,
    ...(record.study !== null && { study: record.study }),
    ...(record.playerCard !== null && { player: JSON.parse(record.playerCard) as PlayerCard }),
    status: record.status,
    ...(record.terminalReason !== null && { terminal_reason: record.terminalReason as TerminalReason }),
    created_at: new Date(record.createdAt).toISOString(),
    updated_at: new Date(record.updatedAt).toISOString(),
    turn_count: record.turnCount,
    duration_ms: Math.max(0, record.updatedAt - record.createdAt),
    ...(record.totalUsage !== null && { usage: { errors: 0, ...writeUsage(record.totalUsage) } }),
    ...(record.reward !== null && { reward: record.reward }),
    ...(record.success !== null && { success: record.success as 0 | 1 }),
    ...(record.progress !== null && { progress: record.progress }),
    ...(record.gate !== null && { gate: record.gate as 0 | 1 }),
    ...(record.scores !== null && { scores: JSON.parse(record.scores) as Record<string, number> }),
  };
}

export function writeDetail(live: LiveEpisode, rows: readonly TurnRecord[], caller: Caller): EpisodeDetail {
  return {
    ...writeHead(live, rows, caller),
    ...(caller.explain && { explain: writeExplanation(live) }),
  };
}

/** An episode without what explains it. */
export function writeHead(
  { record, task, options, opening }: Pick<LiveEpisode, 'record' | 'task' | 'options' | 'opening'>,
  rows: readonly TurnRecord[],
  caller: Caller,
): EpisodeDetail {
  return {
    ...writeSummary(record),
    scenario_name: task.name,
    briefing: task.briefing,
    score_turns: options.scoreTurns,
    max_turns: options.maxTurns,
    ...(options.forkedFrom && { forked_from: writeOrigin(options.forkedFrom) }),
    tools: writeTools(task),
    initial_observation: opening,
    turns: rows.map((row) => writeStoredTurn(row, caller)),
    ...(record.grade !== null && { grade: writeStoredGrade(record.grade) }),
  };
}

export function writeStoredTurn(row: TurnRecord, caller: Caller): EpisodeTurn {
  const { turn, ...rest } = writeTurn(JSON.parse(row.answer) as TurnOutcome, caller);
  const exchanges = exchangesIn(row.usage).length;
  return {
    turn,
    messages: writeMessages(JSON.parse(row.messages) as readonly TurnMessage[]),
    ...rest,
    at: new Date(row.at).toISOString(),
    ...(row.usage !== null && { usage: writeUsage(row.usage) }),
    ...(caller.explain && exchanges > 0 && { exchanges }),
  };
}

export function writeEnded(record: EpisodeRecord): Bare<EndEpisodeAnswer> {
  return {
    episode_id: record.id,
    status: 'complete',
    terminal_reason: record.terminalReason as TerminalReason,
    grade: writeStoredGrade(record.grade ?? '{}'),
  };
}

export function writeEvaluation(
  grade: Grade,
  caller: Caller,
  normalized: Readonly<Record<string, number>> | undefined,
): Evaluation {
  return {
    ...writeNumbers(numbersOf(grade)),
    ...(caller.explain && { score_breakdown: breakdownOf(grade) }),
    ...(normalized && { normalized }),
  };
}

export function writeCatalog(engine: EpisodeEngine, caller: Caller): Bare<CatalogAnswer> {
  const { tasks } = engine;
  return {
    collections: tasks.collections(caller).map(({ slug, name, description, splits, scenarios }) => ({
      slug,
      name,
      description,
      splits: Object.keys(splits).map((split) => ({
        name: split,
        type: splitType(split),
        tasks: tasks.count(slug, split),
      })),
      scenarios: scenarios.map((scenario) =>
        writeScenario(engine, scenario, tasks.task({ scenario, variant: 0, seed: 0 })),
      ),
    })),
  };
}

export function writeScenarioAnswer(
  engine: EpisodeEngine,
  scenario: Scenario,
  task: Task,
): Bare<ScenarioAnswer> {
  return {
    collection_slug: scenario.collection,
    scenario_slug: scenario.slug,
    ...writeScenario(engine, scenario, task),
    briefing: task.briefing,
    initial_observation: task.opening,
    tools: writeTools(task),
  };
}

export function writeKey(
  key: KeyRecord | undefined,
  caller: Caller,
  rate: RateLimit | undefined,
): Bare<KeyAnswer> {
  return {
    key_id: caller.id,
    name: key?.name ?? null,
    expires_at: key?.expiresAt == null ? null : new Date(key.expiresAt).toISOString(),
    rate_limits: rate === undefined ? null : [rate],
    explain: caller.explain,
    collections: caller.collections ?? null,
  };
}

function writeScenario({ idleMs }: EpisodeEngine, scenario: Scenario, task: Task): ScenarioEntry {
  return {
    slug: scenario.slug,
    name: scenario.name,
    description: scenario.description,
    shape: scenario.shape,
    variants: scenario.variants,
    limits: {
      turns: task.limits.turns,
      message_length: limits.messageLength,
      idle_hours: idleMs / 3_600_000,
    },
  };
}

export function writeTools(task: Task): readonly EpisodeTool[] {
  return task.tools.map(({ id, type, name, description, mode, json_schema, options }) => ({
    id,
    type,
    name,
    ...(description !== undefined && { description }),
    mode,
    ...(json_schema !== undefined && typeof json_schema === 'object' && { json_schema }),
    ...(options && { options }),
  }));
}

function writeMessages(messages: readonly TurnMessage[]): readonly Message[] {
  return messages.map(({ role, content, toolCalls }) => ({
    role,
    content,
    ...(toolCalls && { tool_calls: toolCalls }),
  }));
}

function writeStoredGrade(text: string): GradeNumbersView & { readonly scoring_version: string } {
  const grade = JSON.parse(text) as Grade;
  return { ...writeNumbers(numbersOf(grade)), scoring_version: grade.scoringVersion };
}

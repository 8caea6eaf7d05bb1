import { resolve } from 'node:path';

import { WhetstoneError } from '../../../base/host/errors.ts';
import type { Fetch } from '../../../base/host/fetch.ts';
import type { Model } from '../../../base/message/model.ts';
import { agentSeat } from '../../../eval/seat/agent-seat.ts';
import { modelSeat, personSeat } from '../../../eval/seat/model-seat.ts';
import type { PlayableBenchmark, Sides } from '../../../eval/seat/playable.ts';
import type { Seat } from '../../../eval/seat/speaker.ts';
import { faultOf } from '../../../eval/study/fault.ts';
import { addSpent, nothingSpent, playerModel, type Spent } from '../../../eval/study/player-model.ts';
import { checkAnswer, judgeAnswer } from '../../../eval/study/question/judge-answer.ts';
import { askAgent, playQuestion } from '../../../eval/study/question/play-question.ts';
import type { AnswerRecord, StudyResult } from '../../../eval/study/study-result.ts';
import type { BenchmarkTask, Cell, QuestionTask, ScenarioTask } from '../../../eval/suite/cells.ts';
import type {
  BenchmarkTasks,
  JudgeSpec,
  ModelSpec,
  OperatorSpec,
  PlayerSpec,
  Suite,
} from '../../../eval/suite/suite.ts';
import { type Operator, operators } from '../../../grade/play/operators.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { type Catalog, findScenario } from '../../../grade/scenario/load/catalog.ts';
import { type AnyAgent, operator } from '../../../run/bridge/operator/index.ts';
import type { Toolbox } from '../../../run/tool/toolbox.ts';
import { modelNamed } from '../../../wire/index.ts';
import type { EpisodeAnswer } from '../../api/episode.ts';
import type { Client } from '../../client/client.ts';
import { playEpisode, type Player } from '../../client/play-episode.ts';
import { importModule } from '../../terminal/import-module.ts';
import { loadTools } from '../../terminal/load-tools.ts';
import { modelOf } from '../../terminal/option/model-option.ts';
import { heardFetch } from '../player/exchanges.ts';
import { cardOf } from '../player/player-card.ts';
import { modelPlayer } from '../player/model-player.ts';
import { operatorPlayer } from '../player/operator-player.ts';
import type { OpenedBenchmarks } from './open-benchmarks.ts';

/** Everybody who plays or judges in a suite, loaded once: a name that does not exist is told before anything is played. */
export interface Cast {
  readonly models: ReadonlyMap<string, () => Model>;
  readonly tools: ReadonlyMap<string, Toolbox>;
  readonly builtIn: ReadonlyMap<string, Operator>;
  readonly agents: ReadonlyMap<string, AnyAgent>;
  /** By what the suite says of each. */
  readonly judges: ReadonlyMap<JudgeSpec, Model>;
  readonly benchmarks: OpenedBenchmarks;
  /** Who speaks for the person of a benchmark. */
  readonly persons: ReadonlyMap<BenchmarkTasks, () => Model>;
}

export async function castOf(
  { players, tasks }: Suite,
  benchmarks: OpenedBenchmarks,
  isRaw = false,
): Promise<Cast> {
  const models = new Map<string, () => Model>();
  const tools = new Map<string, Toolbox>();
  const builtIn = new Map<string, Operator>();
  const agents = new Map<string, AnyAgent>();
  const judges = new Map<JudgeSpec, Model>();
  const persons = new Map<BenchmarkTasks, () => Model>();
  for (const player of players) {
    if ('model' in player) {
      models.set(player.name, modelMaker(player, isRaw ? heardFetch : undefined));
      if (player.tools !== undefined) tools.set(player.name, await loadTools(player.tools));
    } else if (/[./]/.test(player.operator)) agents.set(player.name, await loadAgent(player));
    else builtIn.set(player.name, operatorNamed(player.operator));
  }
  for (const source of tasks) {
    if ('benchmark' in source) {
      const opened = benchmarks.get(source)!;
      mustBePlayable(opened, source, players);
      if (source.person !== undefined) persons.set(source, modelMaker(source.person));
      if (source.judge !== undefined) judges.set(source.judge, judgeModel(source.judge));
    }
    if (!('questions' in source)) continue;
    const [player] = builtIn.keys();
    if (player !== undefined)
      throw new WhetstoneError(
        'suite_invalid',
        `"${player}" plays scenarios only: it knows their answers. Let a model or an agent of your own answer questions.`,
      );
    const { check } = source;
    if (check.kind === 'judge') judges.set(check, judgeModel(check));
  }
  return { models, tools, builtIn, agents, judges, benchmarks, persons };
}

/** The model "mock" starts its script again for each cell; the others are the same for all. */
function modelMaker(spec: ModelSpec, fetch?: Fetch): () => Model {
  const first = modelOf(spec, fetch);
  return spec.model === 'mock' ? () => modelOf(spec) : () => first;
}

/** The built-in operators know scenarios, and only "gold" is in the tasks of a benchmark. */
function mustBePlayable(
  { name, hasPerson, gold, needsJudge, tasks }: PlayableBenchmark,
  { person, judge, tasks: chosen = tasks }: BenchmarkTasks,
  players: readonly PlayerSpec[],
): void {
  const isBuiltIn = (player: PlayerSpec): player is OperatorSpec =>
    'operator' in player && !/[./]/.test(player.operator);
  const unfit = players.find(
    (player) => isBuiltIn(player) && (player.operator !== 'gold' || gold === undefined),
  );
  if (unfit !== undefined)
    throw new WhetstoneError(
      'suite_invalid',
      `"${unfit.name}" cannot play ${name}: ${gold === undefined ? 'its tasks do not say which calls are right' : 'of the built-in operators only "gold" can, which makes the calls that a task lists'}. Let a model or an agent of your own play it.`,
    );
  const talking = players.find((player) => !isBuiltIn(player));
  if (hasPerson && person === undefined && talking !== undefined)
    throw new WhetstoneError(
      'suite_invalid',
      `In ${name} "${talking.name}" talks to a person, but nobody speaks for them: add "person: provider/model" to the tasks.`,
    );
  const judged = judge === undefined ? chosen.find((task) => needsJudge?.(task)) : undefined;
  if (judged !== undefined)
    throw new WhetstoneError(
      'suite_invalid',
      `In ${name} the task ${judged} rests on claims that only a judge can decide: add "judge: provider/model" to the tasks, or name others in "tasks".`,
    );
}

function judgeModel({ model, baseUrl }: JudgeSpec): Model {
  return modelNamed(model, baseUrl === undefined ? {} : { baseUrl });
}

async function loadAgent({ operator: file }: OperatorSpec): Promise<AnyAgent> {
  const module = await importModule(resolve(file), 'a module with an agent');
  const found = module['default'] ?? Object.values(module)[0];
  if (found === undefined)
    throw new WhetstoneError('suite_invalid', `${file} exports nothing. Export the agent that is to play.`);
  // Whether it is an agent is told by `operator`, at once.
  operator(found as AnyAgent);
  return found as AnyAgent;
}

function operatorNamed(name: string): Operator {
  const found = operators.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new WhetstoneError(
    'suite_invalid',
    `There is no operator "${name}". Known: ${operators.map((each) => each.name).join(', ')}. An agent of your own is named by its file, as in ./${name}.ts.`,
  );
}

export interface PlayCellOptions {
  readonly study: string;
  readonly cast: Cast;
  readonly catalog: Catalog;
  readonly client: Client;
  /** Whether somebody judges what only a model can judge in an episode. */
  readonly isJudged: boolean;
  /** What is known of a cell from before: an answer that waits for its judge. */
  readonly before: StudyResult | undefined;
}

/** Plays one cell to its end. */
export function playCell(cell: Cell, options: PlayCellOptions): Promise<StudyResult> {
  const { task } = cell;
  switch (task.kind) {
    case 'question':
      return playQuestionCell({ ...cell, task }, options);
    case 'benchmark':
      return playBenchmarkCell({ ...cell, task }, options);
    case 'scenario':
      return playScenarioCell({ ...cell, task }, options);
  }
}

async function playBenchmarkCell(
  cell: Cell<BenchmarkTask>,
  { cast, before }: PlayCellOptions,
): Promise<StudyResult> {
  const { key, player, task, trial } = cell;
  const { source, name, template } = task;
  const benchmark = cast.benchmarks.get(source)!;
  let spent: Spent = before?.spent ?? nothingSpent;
  const waiting = before?.played;
  const played =
    waiting === undefined
      ? await benchmark.play(
          name,
          sidesOf(cell, cast, (more) => (spent = addSpent(spent, more))),
        )
      : { ...waiting, reward: null, turns: before?.turns ?? 0 };
  const judge = source.judge && { model: cast.judges.get(source.judge)!, votes: source.judge.votes };
  const judged = played.reward === null ? await benchmark.judge!(played.line, judge!) : undefined;
  const { reward, reasons, line } =
    judged === undefined || 'fault' in judged ? { ...played, reward: played.reward ?? 0 } : judged;
  return {
    key,
    player: player.name,
    template,
    task: task.task,
    trial,
    reward,
    success: reward === 1,
    turns: played.turns,
    ...('model' in player && { spent }),
    played: {
      benchmark: source.benchmark,
      data: resolve(source.data),
      ended: played.ended,
      reasons,
      line,
      ...(judged !== undefined &&
        ('fault' in judged
          ? { judgeFault: judged.fault }
          : { judge: { model: judge!.model.name, promptHash: judged.promptHash } })),
    },
  };
}

function sidesOf(
  { player, task: { source, name } }: Cell<BenchmarkTask>,
  cast: Cast,
  onReply: (spent: Spent) => void,
): Sides {
  if (cast.builtIn.has(player.name)) return cast.benchmarks.get(source)!.gold!(name);
  const person = cast.persons.get(source)?.();
  return {
    agent:
      'model' in player
        ? untilOwnFault(modelSeat(modelIn(cast, player, onReply)))
        : agentSeat(cast.agents.get(player.name)!),
    ...(person !== undefined && { person: personSeat(playerModel(person, source.person!, () => undefined)) }),
  };
}

/** What a second try would not change, such as a history that is too long, is the player's own end: it is graded as it is. */
function untilOwnFault(seat: Seat): Seat {
  return (brief) => {
    const speaker = seat(brief);
    return {
      next: (heard) =>
        speaker.next(heard).catch((error: unknown) => {
          if (faultOf(error).world) throw error;
          return undefined;
        }),
    };
  };
}

async function playQuestionCell(
  { key, player, task, trial }: Cell<QuestionTask>,
  { cast, before }: PlayCellOptions,
): Promise<StudyResult> {
  let spent: Spent = before?.spent ?? nothingSpent;
  const { question } = task.question;
  let turns = before?.turns ?? 0;
  let record: AnswerRecord | undefined = before?.answer;
  if (record === undefined) {
    const played =
      'model' in player
        ? await playQuestion(question, {
            model: modelIn(cast, player, (more) => (spent = addSpent(spent, more))),
            ...(cast.tools.has(player.name) && { tools: cast.tools.get(player.name)! }),
            ...(player.protocol !== undefined && { protocol: player.protocol }),
            ...(player.steps !== undefined && { steps: player.steps }),
          })
        : await askAgent(question, cast.agents.get(player.name)!);
    const { answer, calls, ended, messages, replies } = played;
    record = { text: answer, calls, ended, messages };
    turns = replies;
  }
  const { judgeFault: _, ...answered } = record;
  const answer = await judged(answered, task, cast);
  const reward = answer.verdict?.score ?? 0;
  const { template, task: instance } = task;
  const named = { key, player: player.name, template, task: instance, trial };
  return { ...named, reward, success: reward === 1, turns, spent, answer };
}

async function judged(
  record: AnswerRecord,
  { question, check }: QuestionTask,
  cast: Cast,
): Promise<AnswerRecord> {
  if (check.kind !== 'judge') return { ...record, verdict: checkAnswer(record.text, question, check) };
  const { prompt, votes } = check;
  const given = await judgeAnswer(record.text, question, {
    model: cast.judges.get(check)!,
    votes,
    ...(prompt !== undefined && { prompt }),
  });
  return 'fault' in given ? { ...record, judgeFault: given.fault } : { ...record, verdict: given };
}

function modelIn(cast: Cast, player: ModelSpec, onReply: (spent: Spent) => void): Model {
  return playerModel(cast.models.get(player.name)!(), player, onReply);
}

async function playScenarioCell(
  cell: Cell<ScenarioTask>,
  { client, study, cast, catalog, isJudged, before }: PlayCellOptions,
): Promise<StudyResult> {
  const { key, player, trial } = cell;
  const { collection, scenario, variant, template, task } = cell.task;
  let spent = nothingSpent;
  const episode = await playEpisode(
    client,
    {
      collection_slug: collection,
      scenario_slug: scenario,
      variant,
      seed: trial,
      group: `${study}/${template}/${variant}`,
      study: study.slice(0, 200),
      player: cardOf(player),
    },
    {
      player: playerOf(cell, { cast, catalog }, (more) => (spent = addSpent(spent, more))),
      // An operator says the same again, so it goes on with the episode in which it was stopped, unless its judge failed in
      // that; a model starts again.
      ...(cast.builtIn.has(player.name) && {
        idempotencyKey: [study, key, ...(before?.judgeFault === undefined ? [] : [before.episode])].join('/'),
      }),
    },
  );
  const { grade } = episode;
  if (grade === undefined)
    throw new WhetstoneError('server_refused', `The episode ${episode.episode_id} of ${key} has no grade.`);
  return {
    key,
    player: player.name,
    template,
    task,
    trial,
    reward: grade.reward,
    success: grade.success === 1,
    turns: episode.turn_count,
    ...('model' in player && { spent }),
    episode: episode.episode_id,
    ...(isJudged &&
      grade.not_judged !== undefined && {
        judgeFault: `In the episode ${episode.episode_id} the judge left ${grade.not_judged} without a verdict.`,
      }),
  };
}

function playerOf(
  { player, trial, task }: Cell<ScenarioTask>,
  { cast, catalog }: Pick<PlayCellOptions, 'cast' | 'catalog'>,
  onReply: (spent: Spent) => void,
): (episode: EpisodeAnswer) => Player {
  if ('model' in player) {
    const model = modelIn(cast, player, onReply);
    return (episode) => modelPlayer(model, episode);
  }
  const agent = cast.agents.get(player.name);
  if (agent !== undefined) return operator(agent);
  const scenario = findScenario(catalog, task.collection, task.scenario);
  const built = buildTask(scenario, task.variant, trial);
  return () => operatorPlayer(cast.builtIn.get(player.name)!, built);
}

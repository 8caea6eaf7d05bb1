import { isWhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Message } from '../../base/message/message.ts';
import { type ImagePart, textPart } from '../../base/message/part.ts';
import { storedTranscript } from '../../grade/episode/stored-transcript.ts';
import type { TaskBook } from '../../grade/episode/task-book.ts';
import type { Task, ToolOffer } from '../../grade/scenario/task.ts';
import type { Transcript, TranscriptTurn } from '../../grade/scenario/transcript.ts';
import type { Grade } from '../../grade/score/grade.ts';
import type { EpisodeRecord } from '../../grade/store/record.ts';
import type { Store } from '../../grade/store/store.ts';
import { assistantOf, callOf, resultOf } from './chat-messages.ts';
import type {
  ReplyTokens,
  ToolDefinition,
  Trajectory,
  TrajectoryAgent,
  TrajectoryGrade,
} from './trajectory.ts';

export interface StoredEpisodeOptions {
  readonly store: Store;
  readonly tasks: TaskBook;
  /** A store does not know who played: a study does. */
  readonly agent?: TrajectoryAgent;
  readonly trial?: number;
  /** By episode: a store keeps none. */
  readonly tokens?: ReadonlyMap<string, readonly ReplyTokens[]> | undefined;
}

/**
 * A stored episode as a trajectory: the briefing is the system's, what the person said is the user's. Where its
 * scenario is gone, its tools are too.
 */
export async function storedTrajectory(
  record: EpisodeRecord,
  { store, tasks, agent = { name: 'unknown' }, trial = 1, tokens }: StoredEpisodeOptions,
): Promise<Trajectory> {
  const transcript = await storedTranscript(record, store);
  const task = taskOf(record, tasks);
  const { collection, scenario, variant, seed, version } = record;
  const grade = record.grade === null ? undefined : (JSON.parse(record.grade) as Grade);
  const { terminalReason } = transcript;
  return {
    id: record.id,
    task: `${collection}/${scenario}/${variant}`,
    trial,
    agent,
    tools: task?.tools.map(definitionOf) ?? [],
    messages: [...openingOf(transcript, task), ...transcript.turns.flatMap(messagesOf)],
    ...(grade && { grade: writeGrade(grade) }),
    tokens: tokens?.get(record.id) ?? [],
    ...(record.group !== null && { group: record.group }),
    ...(terminalReason !== undefined && { ended: terminalReason }),
    ...(terminalReason === 'error' && { error: 'The world of the scenario broke.' }),
    startedAt: new Date(record.createdAt).toISOString(),
    endedAt: new Date(record.updatedAt).toISOString(),
    metadata: {
      collection,
      scenario,
      variant,
      seed,
      version,
      ...(task && { canary: canaryOf(record, tasks) }),
    },
  };
}

function taskOf(record: EpisodeRecord, tasks: TaskBook): Task | undefined {
  try {
    return tasks.taskOf(record);
  } catch (error) {
    if (isWhetstoneError(error)) return undefined;
    throw error;
  }
}

/** What tells the scenario's author that it got into somebody's training data. */
function canaryOf({ collection, scenario }: EpisodeRecord, { catalog }: TaskBook): string {
  const known = catalog.collections.find(({ slug }) => slug === collection);
  return known?.read(scenario).scenario?.canary ?? '';
}

function openingOf({ opening }: Transcript, task: Task | undefined): readonly Message[] {
  const { content, images = [] } = opening;
  const shown = images.map(({ media_type: mediaType, data }): ImagePart => ({
    type: 'image',
    source: { kind: 'base64', data, mediaType },
  }));
  if (shown.length > 0) return [{ role: 'user', content: [...shown, textPart(content)] }];
  if (task === undefined || !content.startsWith(task.briefing)) return [{ role: 'user', content }];
  const said = content.slice(task.briefing.length).trim();
  const system: Message = { role: 'system', content: task.briefing };
  return said === '' ? [system] : [system, { role: 'user', content: said }];
}

function messagesOf({ turn, messages, outcomes, observation }: TranscriptTurn): readonly Message[] {
  let made = 0;
  const said = messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content, toolCalls = [] }): readonly Message[] => {
      const first = made;
      made += toolCalls.length;
      const calls = toolCalls.map(({ name, input }, index) =>
        callOf(`call_${turn}_${first + index + 1}`, name, input),
      );
      const results = calls.flatMap(({ id, name }, index) => {
        const outcome = outcomes[first + index];
        if (outcome === undefined) return [];
        return [resultOf(id, name, { text: outcome.output, isError: outcome.isError === true })];
      });
      return [
        assistantOf({ text: content, calls }),
        ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
      ];
    });
  return observation.content === '' ? said : [...said, { role: 'user', content: observation.content }];
}

/** What cannot be judged yet has no reward: 0 would look earned. */
function writeGrade({
  reward,
  success,
  progress,
  dimensions,
  personFault,
  notJudged,
}: Grade): TrajectoryGrade {
  return {
    reward: notJudged === undefined ? reward : null,
    success: success === 1,
    progress,
    scores: Object.fromEntries(Object.entries(dimensions).map(([name, { score }]) => [name, score])),
    ...(personFault && { personFault: { ...personFault } }),
    ...(notJudged && { notJudged: notJudged.length }),
  };
}

function definitionOf({
  id,
  name,
  description,
  mode,
  options,
  json_schema: schema,
}: ToolOffer): ToolDefinition {
  const parameters: JsonObject =
    mode === 'options'
      ? {
          type: 'object',
          properties: { value: { type: 'string', enum: options ?? [] } },
          required: ['value'],
          additionalProperties: false,
        }
      : typeof schema === 'object'
        ? (schema as JsonObject)
        : { type: 'object' };
  return { name: id, description: description ?? name, parameters };
}

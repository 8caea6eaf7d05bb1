import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import { callsOf, type Message, textOf } from '../../../base/message/message.ts';
import type { Trajectory } from '../../../eval/exchange/trajectory.ts';
import type { PlayerCard } from '../../../grade/episode/player-card.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import { mostRead, searchedWords } from '../../../grade/store/words.ts';
import { localCaller } from '../../http/keys.ts';

/** Which log of those that are shown, and where in it. */
export interface Shelved {
  readonly log: number;
  readonly place: JsonObject;
}

/** The row of a trajectory whose words stay in its log. `number` counts all that are shown, and `since` is for those without a time. */
export function logRecord(
  trajectory: Trajectory,
  shelved: Shelved,
  { number, file, since }: { readonly number: number; readonly file: string; readonly since: number },
): EpisodeRecord {
  const { agent, grade, group, metadata, messages } = trajectory;
  const reward = grade?.reward ?? null;
  const createdAt = timeOf(trajectory.startedAt) ?? Math.max(0, since - number);
  const card: PlayerCard = { name: agent.name, ...(agent.model !== undefined && { model: agent.model }) };
  const usage = metadata['usage'];
  return {
    id: `log_${String(number).padStart(9, '0')}`,
    owner: localCaller.id,
    ...taskOf(trajectory, file),
    version: '',
    variant: countIn(metadata['variant']),
    seed: countIn(metadata['seed']),
    group: group ?? null,
    study: file, // What one log holds belongs together.
    player: card.name,
    playerCard: JSON.stringify(card),
    createdKey: null,
    createdHash: '',
    options: JSON.stringify({ shelved }),
    opening: '{}',
    state: '{}',
    status: 'complete',
    terminalReason: null,
    turnCount: messages.filter(({ role }) => role === 'assistant').length,
    // On another scale it would be mistaken for one of ours; the log's own numbers are among its scores.
    reward: reward !== null && reward >= 0 && reward <= 1 ? reward : null,
    success: grade?.success === undefined ? null : Number(grade.success),
    grade: null,
    progress: grade?.progress ?? null,
    gate: null,
    scores: JSON.stringify(scoresOf(trajectory)),
    totalUsage: isJsonObject(usage) && isUsage(usage) ? JSON.stringify(usage) : null,
    createdAt,
    updatedAt: Math.max(createdAt, timeOf(trajectory.endedAt) ?? createdAt),
    expiresAt: 0,
  };
}

/** Where the words of a row are; undefined where its turns are in the store. */
export function shelvedIn({ options }: EpisodeRecord): Shelved | undefined {
  // Written above, or by the engine.
  return (JSON.parse(options) as { readonly shelved?: Shelved }).shelved;
}

/** What a trajectory is found by, as far as it is read. */
export function wordsIn({ messages }: Trajectory): string {
  const found: string[] = [];
  let left = mostRead;
  for (const message of messages) {
    if (left <= 0) break;
    // One message after the other: what is made of a short text is gone at once, of a long one it stays for a while.
    const words = searchedWords(`${textOf(message)} ${callWords(message)}`.slice(0, left));
    found.push(words);
    left -= words.length + 1;
  }
  return found.join(' ');
}

function callWords(message: Message): string {
  return callsOf(message)
    .map(
      ({ name, arguments: given }) => `${name} ${typeof given === 'string' ? given : JSON.stringify(given)}`,
    )
    .join(' ');
}

/** A task of ours says which scenario it is; of others the first part of its name is the collection. */
function taskOf(
  { task, metadata }: Trajectory,
  file: string,
): Pick<EpisodeRecord, 'collection' | 'scenario'> {
  const { collection, scenario } = metadata;
  if (typeof collection === 'string' && typeof scenario === 'string') return { collection, scenario };
  const [first = '', ...rest] = task.split('/');
  return rest.length === 0
    ? { collection: file, scenario: first }
    : { collection: first, scenario: rest.join('/') };
}

function scoresOf({ grade }: Trajectory): Readonly<Record<string, number>> {
  const { scores = {}, reward = null } = grade ?? {};
  const known = Object.entries(scores).filter((entry): entry is [string, number] => entry[1] !== null);
  const outside = reward !== null && !(reward >= 0 && reward <= 1) && known.length === 0;
  return Object.fromEntries(outside ? [['reward', reward]] : known);
}

function isUsage(usage: JsonObject): boolean {
  return ['inputTokens', 'outputTokens'].some((name) => typeof usage[name] === 'number');
}

function countIn(value: unknown): number {
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

import type { EpisodeRecord, KeyRecord, TurnRecord } from '../record.ts';

/** An episode that has just begun and holds as little as one can; a test says what matters to it. */
export const bareEpisode = (id: string, change: Partial<EpisodeRecord> = {}): EpisodeRecord => ({
  id,
  owner: 'local',
  collection: 'c',
  scenario: 's',
  version: '1',
  variant: 0,
  seed: 0,
  group: null,
  study: null,
  player: null,
  playerCard: null,
  createdKey: null,
  createdHash: '',
  options: '{}',
  opening: '{}',
  state: '{}',
  status: 'open',
  terminalReason: null,
  turnCount: 0,
  reward: null,
  success: null,
  grade: null,
  progress: null,
  gate: null,
  scores: null,
  totalUsage: null,
  createdAt: 1,
  updatedAt: 1,
  expiresAt: 1,
  ...change,
});

/** A turn in which nothing was said. */
export const bareTurn = (episode: string, turn: number, change: Partial<TurnRecord> = {}): TurnRecord => ({
  episode,
  turn,
  key: null,
  bodyHash: '',
  messagesHash: '',
  messages: '[]',
  outcomes: '[]',
  answer: '{}',
  at: turn,
  usage: null,
  ...change,
});

/** A key that may do what every key may, known by its hash. */
export const bareKey = (hash: string, change: Partial<KeyRecord> = {}): KeyRecord => ({
  id: hash,
  hash,
  name: null,
  explain: false,
  collections: null,
  rateLimit: null,
  maxEpisodes: null,
  maxEvaluations: null,
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  ...change,
});

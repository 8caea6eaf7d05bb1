/** What the Labs API allows; each number is part of the contract and is in the OpenAPI document. */
export const limits = {
  /** Turns of one episode. */
  turns: 50,
  /** Unicode code points of one message. */
  messageLength: 10_000,
  /** Items of one batch. */
  batchItems: 100,
  /** Normalisation windows of one evaluation. */
  windows: 5,
  /** Hours without a turn after which an open episode is ended and graded as it stands. */
  idleHours: 24,
  /** Bytes of a request's body, and of a batch's. */
  bodyBytes: 1_048_576,
  batchBodyBytes: 8_388_608,
  /** Exchanges with its provider that one turn may keep, and UTF-16 units of each request and reply. */
  exchangesOfTurn: 4,
  exchangeText: 60_000,
  /** How deep a body may nest, and how many members and items it may hold in all. */
  nesting: 64,
  members: 10_000,
  /** Seconds that one rollout may take. */
  rolloutSeconds: 3600,
  /** Items of one page of a list. */
  pageItems: 200,
} as const;

/** `GET /health`: the process runs. */
export interface HealthAnswer {
  readonly status: 'ok';
  readonly version: string;
  /** How far logs have been read, where this server only shows them (`whet view`). */
  readonly view?: ViewProgress;
}

/** How far the logs that are shown have been read. */
export interface ViewProgress {
  readonly bytes: number;
  readonly of: number;
  readonly episodes: number;
  readonly done: boolean;
  /** What could not be read, a sentence each. */
  readonly faults: readonly string[];
}

/** `GET /ready`: 200 when the store answers and the server is not stopping, else 503. */
export interface ReadyAnswer {
  readonly status: 'ready' | 'not_ready';
  readonly reason?: string;
}

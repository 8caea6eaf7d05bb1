/** `GET /health`: the process runs. */
export interface HealthAnswer {
  readonly status: 'ok';
  readonly version: string;
}

/** `GET /ready`: 200 when the store answers and the server is not stopping, else 503. */
export interface ReadyAnswer {
  readonly status: 'ready' | 'not_ready';
  readonly reason?: string;
}

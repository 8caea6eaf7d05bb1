/** Clients of the trainers' protocols that cost little themselves: each plays episodes of ten steps, one after another. */
import { connect, type Socket } from 'node:net';

import { WebSocket } from 'ws';

import { words } from './turn-load.ts';

export interface PlayOptions {
  readonly clients: number;
  readonly seconds: number;
  /** Their environments have one action; ours has a task and a person. */
  readonly isOurs: boolean;
}

/** Plays for so long, and gives the steps a second. Only the steps are timed. */
export type Play = (port: number, options: PlayOptions) => Promise<number>;

const stepsOfEpisode = 10;
let said = 0;

function question(step: number): string {
  const [message] = words.messages(step, (said += 1)) as readonly { readonly content: string }[];
  return message?.content ?? '';
}

/** OpenEnv: a WebSocket a client. */
export const playOpenEnv: Play = (port, options) =>
  playAll(options, async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${options.isOurs ? '/openenv' : ''}/ws`);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    const ask = (message: object): Promise<string> =>
      new Promise((resolve, reject) => {
        socket.once('message', (data: Buffer) => {
          const text = data.toString('utf8');
          if (text.includes('"type":"error"') || text.includes('"type": "error"')) reject(new Error(text));
          else resolve(text);
        });
        socket.send(JSON.stringify(message));
      });
    const task = options.isOurs ? { collection: 'case-management', scenario: 'lumbar-strain' } : {};
    return {
      begin: () => ask({ type: 'reset', data: task }),
      step: (step) => ask({ type: 'step', data: { message: question(step) } }),
      close: () => socket.terminate(),
    };
  });

/** The Open Reward Standard: a connection a client, on which each call is answered by an event stream. */
export const playOrs: Play = (port, options) =>
  playAll(options, async () => {
    const line = new EventConnection(port);
    const prefix = options.isOurs ? '/ors' : '';
    const environment = options.isOurs ? 'case-management' : 'echo';
    let session = '';
    return {
      begin: async () => {
        session = /data: (\S+)/.exec(await line.post(`${prefix}/create_session`, {}))?.[1] ?? '';
        const task = { split: 'train', index: 0, env_name: environment };
        await line.post(`${prefix}/create`, task, session);
      },
      step: async (step) => {
        const call = { name: options.isOurs ? 'say' : 'echo', input: { message: question(step) } };
        const answer = await line.post(`${prefix}/${environment}/call`, call, session);
        if (!answer.includes('"ok":true') && !answer.includes('"ok": true')) throw new Error(answer);
      },
      close: () => line.close(),
    };
  });

interface Player {
  readonly begin: () => Promise<unknown>;
  readonly step: (step: number) => Promise<unknown>;
  readonly close: () => void;
}

async function playAll({ clients, seconds }: PlayOptions, open: () => Promise<Player>): Promise<number> {
  const players = await Promise.all(Array.from({ length: clients }, open));
  let steps = 0;
  let beginning = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    players.map(async (player) => {
      while (performance.now() < until) {
        const begun = performance.now();
        await player.begin();
        beginning += performance.now() - begun;
        for (let step = 0; step < stepsOfEpisode; step += 1) {
          await player.step(step);
          steps += 1;
        }
      }
    }),
  );
  const took = performance.now() - started - beginning / clients;
  for (const player of players) player.close();
  return (steps / took) * 1000;
}

/** A keep-alive connection that reads answers with a length and answers in chunks; one request at a time. */
class EventConnection {
  readonly #socket: Socket;
  #received = '';
  #resolve: ((text: string) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => {
      this.#received += chunk;
      if (!isWhole(this.#received)) return;
      const answer = this.#received;
      this.#received = '';
      if (answer.startsWith('HTTP/1.1 200')) this.#resolve?.(answer);
      else this.#reject?.(new Error(answer));
    });
    this.#socket.on('error', (error) => this.#reject?.(error));
  }

  post(path: string, body: object, session?: string): Promise<string> {
    const text = JSON.stringify(body);
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(`${head}${session === undefined ? '' : `X-Session-ID: ${session}\r\n`}\r\n${text}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length);
}

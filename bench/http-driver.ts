/**
 * A driver of HTTP servers that costs little itself: keep-alive connections over bare sockets, one request in flight
 * on each. It reads only answers that carry a length, which both our server and the floors do.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** One connection; ask it one thing at a time. */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #answer: ((answer: HttpAnswer) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#fail?.(error));
    this.#socket.on('close', () => this.#fail?.(new Error('The server closed the connection.')));
  }

  ask(method: string, path: string, body = ''): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
      this.#socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  }

  close(): void {
    this.#fail = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const body = this.#received.toString('utf8', end + 4, end + 4 + length);
    this.#received = this.#received.subarray(end + 4 + length);
    this.#answer?.({ status: Number(head.slice(9, 12)), body });
  }
}

export interface ServerProcess {
  readonly port: number;
  readonly process: ChildProcess;
  /** Bytes of memory it holds now. */
  memory(): Promise<number>;
  /** Milliseconds of processor time it has used so far, in its own code and in the system's. */
  cpu(): number;
  stop(): Promise<void>;
}

/** Starts a server that prints one line of JSON with its `url` or `port` once it listens. */
export async function startProcess(
  args: readonly string[],
  cwd: string,
  program = process.execPath,
): Promise<ServerProcess> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened.`)));
  });
  const { url, port } = JSON.parse(line) as { url?: string; port?: number };
  return {
    port: port ?? Number(new URL(url ?? '').port),
    process: child,
    cpu: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    memory: async () => {
      const pages = readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1];
      return Number(pages) * 4096;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** How a floor keeps what it was sent: source that gives `keep(bodies)`, which may take its time. */
export const keepInFile = (file: string): string => `
    import { openSync, writeSync, fdatasyncSync } from 'node:fs';
    const file = openSync(${JSON.stringify(file)}, 'a');
    const keep = (bodies) => { writeSync(file, bodies.join('\\n')); fdatasyncSync(file); };`;

/** Bare `node:http` that reads a JSON body and answers one; with `keep`, after it is kept together with others. */
export function floorSource(answer: string, keep = ''): readonly string[] {
  return [
    '--input-type=module',
    '--eval',
    `import { createServer } from 'node:http';
    ${keep}
    const answer = ${JSON.stringify(answer)};
    let waiting = [], busy = false;
    const flush = async () => {
      while (waiting.length > 0) {
        const all = waiting;
        waiting = [];
        await keep(all.map(([body]) => body));
        for (const [, send] of all) send();
      }
      busy = false;
    };
    const server = createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString();
        JSON.parse(body);
        const send = () => { response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }); response.end(answer); };
        if (${keep === ''}) return send();
        waiting.push([body, send]);
        if (!busy) { busy = true; setImmediate(flush); }
      });
    });
    server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
    process.on('SIGTERM', () => process.exit(0));`,
  ];
}

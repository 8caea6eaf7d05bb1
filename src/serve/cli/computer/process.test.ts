/** How the command ends: whatever ends it, nothing that it started is left, and its exit code is what it says. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { JsonValue } from '../../../base/json/value.ts';
import { sleep } from '../../../base/host/clock.ts';
import { servePages } from '../../../run/computer/browser/page.fixture.ts';
import { missing } from '../../../run/computer/desktop/x-events.fixture.ts';
import type { LineAnswer } from './answer-line.ts';
import { claude } from './calls.fixture.ts';

const whet = fileURLToPath(new URL('../../../../bin/whet.js', import.meta.url));
const onLinux = process.platform === 'linux' ? false : 'this system has no /proc';
const onDisplay = onLinux || missing('xvfb openbox', 'Xvfb', 'openbox');
const position = claude('cursor_position');

let served: Awaited<ReturnType<typeof servePages>>;
before(async () => {
  served = await servePages({ '/': '<title>Page</title>here' });
});
after(() => served.close());

interface Told {
  readonly pid: number;
  readonly words: string;
  readonly display: string | undefined;
}

/** The command with a folder for what it leaves, and all that it has started. */
class Running implements Disposable {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'whet-process-'));
  readonly #answers: AsyncIterator<string>;
  #started: readonly Told[] = [];

  constructor(...words: readonly string[]) {
    const { TMPDIR: _none, ...environment } = process.env;
    this.child = spawn(process.execPath, [whet, 'computer', 'perform', '--api', 'anthropic', ...words], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...environment, TMPDIR: this.#folder },
    });
    this.ended = once(this.child, 'exit');
    this.#answers = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
  }

  /** Also text that is half a call. */
  send(call: JsonValue): void {
    this.child.stdin!.write(typeof call === 'string' ? call : `${JSON.stringify(call)}\n`);
  }

  async answer(): Promise<LineAnswer> {
    const { value } = (await this.#answers.next()) as { readonly value: string };
    this.#started = [...this.#started, ...descendants(this.child.pid!)];
    return JSON.parse(value) as LineAnswer;
  }

  ask(call: JsonValue): Promise<LineAnswer> {
    this.send(call);
    return this.answer();
  }

  /** Ends something that it started, as a crash would. */
  async kill(program: RegExp): Promise<void> {
    const found = this.#started.find(({ words }) => program.test(words));
    assert.ok(found, `${String(program)} is not among ${this.#started.map(({ words }) => words).join('\n')}`);
    process.kill(found.pid, 'SIGKILL');
    for (let tries = 0; tries < 200 && isRunning(found.pid); tries++) await sleep(10);
  }

  async leavesNothing(code: number): Promise<void> {
    assert.deepEqual(await this.ended, [code, null]);
    assert.ok(this.#started.length > 0);
    // What was ended with it is swept away by the system in its own time.
    for (let tries = 0; tries < 100 && this.#started.some(({ pid }) => isRunning(pid)); tries++)
      await sleep(10);
    assert.deepEqual(
      this.#started.filter(({ pid }) => isRunning(pid)).map(({ words }) => words),
      [],
    );
    assert.deepEqual(
      readdirSync(this.#folder).filter((name) => name.startsWith('playwright')),
      [],
    );
    const numbers = this.#started.flatMap(({ display }) => display?.slice(1) ?? []);
    for (const number of numbers)
      for (const path of [`/tmp/.X${number}-lock`, `/tmp/.X11-unix/X${number}`])
        assert.ok(!existsSync(path), `${path} is left`);
  }

  [Symbol.dispose](): void {
    this.child.kill('SIGKILL');
    for (const { pid } of this.#started)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function descendants(pid: number): readonly Told[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.flatMap((each): readonly Told[] => {
    try {
      const words = readFileSync(`/proc/${each}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const display = /(?:^|\0)DISPLAY=(:\d+)/.exec(readFileSync(`/proc/${each}/environ`, 'utf8'))?.[1];
      return [{ pid: Number(each), words, display }, ...descendants(Number(each))];
    } catch {
      return [];
    }
  });
}

/** A process that has ended and was not asked about yet is none. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test(
  'a browser that is killed is told, and a new one comes; SIGTERM breaks off what is under way',
  { skip: onLinux },
  async () => {
    using running = new Running('--url', served.url, '--jsonl');
    assert.equal((await running.ask(position)).ok, true);
    await running.kill(/--remote-debugging-(pipe|port)/);
    assert.equal((await running.ask(position)).error?.code, 'computer_lost');
    const again = await running.ask(position);
    assert.deepEqual([again.ok, again.events], [true, [{ type: 'restarted' }]]);
    running.send(claude('wait', { duration: 200 }));
    await sleep(100);
    running.child.kill('SIGTERM');
    await running.leavesNothing(143);
  },
);

test(
  'each call fails on a display that was killed; at the end of the input half a line is answered too',
  { skip: onDisplay },
  async () => {
    using running = new Running('--desktop', '--jsonl');
    assert.equal((await running.ask(position)).ok, true);
    await running.kill(/^Xvfb/);
    for (let each = 0; each < 2; each++)
      assert.equal((await running.ask(claude('screenshot'))).error?.code, 'computer_lost');
    running.child.stdin!.end('{"type":"tool_u');
    assert.equal((await running.answer()).error?.code, 'computer_call_unreadable');
    await running.leavesNothing(0);
  },
);

test('a terminal that goes away ends it', { skip: onDisplay }, async () => {
  using running = new Running('--desktop', '--jsonl');
  assert.equal((await running.ask(position)).ok, true);
  running.child.kill('SIGHUP');
  await running.leavesNothing(143);
});

test('whoever reads one answer and no more ends it, as with head', { skip: onDisplay }, async () => {
  using running = new Running('--desktop', '--jsonl');
  assert.equal((await running.ask(position)).ok, true);
  running.child.stdout!.destroy();
  running.send(position);
  running.send(position);
  await running.leavesNothing(0);
});

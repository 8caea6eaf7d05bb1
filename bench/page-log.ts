import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildPage } from '../scripts/build-page.ts';
import { connect } from '../src/serve/client/client.ts';
import { type Claim, round } from './harness.ts';
import { openLook } from './page/look.ts';

const megabytes = Number(process.env['WHET_LOG_MB'] ?? 1000);
/** What one episode of the log takes. */
const episodeBytes = 100_000;
const word = 'scaffold';
/** One episode in so many has it. */
const between = 100;

export const claim: Claim = {
  name: 'page-log',
  alone: true,
  title: `\`whet view\` shows a log of ${megabytes.toLocaleString('en')} MB at once, and searches it`,
  async measure() {
    await buildPage();
    const folder = mkdtempSync(join(tmpdir(), 'whet-bench-log-'));
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const log = join(folder, 'log.jsonl');
    const episodes = await writeLog(log);
    await using look = await openLook();
    const bin = fileURLToPath(new URL('../bin/whet.js', import.meta.url));
    const begun = performance.now();
    const child = spawn(process.execPath, [bin, 'view', log], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const url = String(line).trim();
      const started = performance.now() - begun;
      const painted = await look.open(`${url}/#/episodes`, 'tbody tr');
      const client = connect({ url });
      for (let done = false; !done; await new Promise((resolve) => setTimeout(resolve, 250)))
        done = (await client.health()).view?.done === true;
      const read = performance.now() - begun;
      // The next one that has the word: without it, another row is there.
      const found = await look.act(
        `location.hash = '#/episodes?q=${word}'`,
        'tbody tr:nth-child(2)',
        `log-${1 + between}`,
      );
      const most = memoryOf(child.pid!);
      return {
        rows: [
          { what: 'the command has said its address', ms: round(started) },
          { what: 'and the first rows are painted', ms: round(started + painted) },
          { what: 'all is read', ms: round(read) },
          { what: 'a word is found', ms: round(found) },
        ],
        limits: [
          { says: 'ms from the address to the first rows', measured: round(painted), atMost: 1000 },
          { says: 'MB of memory of the command, at its most', measured: round(most), atMost: 200 },
          { says: 'ms for a search once all is read', measured: round(found), atMost: 2000 },
        ],
        notes: [
          `${episodes.toLocaleString('en')} trajectories of OpenAI's form, one a line; the word is in one of ${between}. In Chromium, on the same machine.`,
        ],
      };
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  },
};

async function writeLog(path: string): Promise<number> {
  const file = createWriteStream(path);
  const count = Math.ceil((megabytes * 1_000_000) / episodeBytes);
  const paragraph = 'The claimant reports that the crate slipped as it was lifted from the second shelf. ';
  const turn = paragraph.repeat(Math.floor(episodeBytes / 20 / paragraph.length));
  for (let number = 0; number < count; number++) {
    const messages = Array.from({ length: 20 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${number}.${index}: ${index === 1 && number % between === 0 ? word : ''} ${turn}`,
    }));
    if (!file.write(`${JSON.stringify({ messages })}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  return count;
}

/** The most that the process had in memory so far, in megabytes, where the system tells. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1000;
}

import { spawnSync } from 'node:child_process';

/**
 * Kills the test files of this runner (`pid`) that run for longer than `minutes`, whatever they wait for. Node's own
 * limit ends a test and leaves its process; one that waits for ever would keep all others from being told.
 * Needs `ps`: nothing is ended on Windows. Returns what stops it.
 */
export function endTheEndless(pid: number, minutes: number): () => void {
  const seen = new Map<string, number>();
  const look = (): void => {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
    for (const line of stdout?.split('\n') ?? []) {
      const [child = '', parent, ...command] = line.trim().split(/\s+/);
      if (parent !== String(pid)) continue;
      const since = seen.get(child) ?? Date.now();
      seen.set(child, since);
      if (Date.now() - since < minutes * 60_000) continue;
      console.error(`✖ ${command.at(-1)} did not end within ${minutes} minutes, and was killed.`);
      process.kill(Number(child), 'SIGKILL');
    }
  };
  const timer = setInterval(look, 10_000);
  return () => clearInterval(timer);
}

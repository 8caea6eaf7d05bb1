/** `npm start` in a clone: builds the page when its sources have changed, then hands over to `whet start`. */
import { buildPage } from './build-page.ts';

const shell = process.ppid;
// When npm is killed its shell goes too, and no signal reaches us: do not stay behind.
setInterval(() => {
  if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
}, 500).unref();

await buildPage();
const { main } = await import('../src/serve/cli/main.ts');
process.exitCode = await main(['start', ...process.argv.slice(2)]);

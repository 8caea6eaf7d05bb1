/** `npm start` in a clone: builds the page when its sources have changed, then hands over to `whet start`. */
import { buildPage } from './build-page.ts';

await buildPage();
const { main } = await import('../src/serve/cli/main.ts');
process.exitCode = await main(['start', ...process.argv.slice(2)]);

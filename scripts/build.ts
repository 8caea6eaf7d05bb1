/** `npm run build`: the package as it is published, in `dist/`: compiled sources, SQL and the page; scenarios in TypeScript get JavaScript beside them. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildPage } from './build-page.ts';
import { buildScenarios } from './build-scenarios.ts';
import { bundleBrowser } from './bundle-browser.ts';
import { bundleCore } from './bundle-core.ts';
import { nameDisposable } from './name-disposable.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiler = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
  /package\.json$/,
  'bin/tsc',
);
const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(1);
nameDisposable(dist);
await bundleBrowser(dist);
await bundleCore(dist);
// What is not TypeScript and yet is read at run time is beside what reads it.
for (const file of globSync('src/**/*.{sql,json,txt,bin}', { cwd: root })) {
  cpSync(join(root, file), join(dist, file.slice('src/'.length)));
}
await buildScenarios(root);
if (!process.argv.includes('--no-page')) {
  await buildPage();
  if (existsSync(join(root, 'viewer/dist')))
    cpSync(join(root, 'viewer/dist'), join(dist, 'page'), { recursive: true });
}

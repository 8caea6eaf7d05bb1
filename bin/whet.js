#!/usr/bin/env node
// Plain JavaScript: it starts on any Node, and hands over to the one that `npm ci` brought.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const source = new URL('src/serve/cli/main.ts', root);
const built = new URL('dist/serve/cli/main.js', root);
const inClone = existsSync(source);

if (Number(process.versions.node.split('.')[0]) >= 24) {
  // What Node compiles is kept beside what npm installed: the next start takes half the time. Nothing where it cannot write.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('node_modules/.cache/whetstone', root)));
  const { main } = await import((inClone ? source : built).href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = fileURLToPath(new URL(`node_modules/.bin/${name}`, root));
  if (!existsSync(node)) {
    console.error(
      `whet needs Node 24 or newer and this is ${process.version}. Install a newer one; in a clone, run \`npm start\` once: it brings one along.`,
    );
    process.exit(2);
  }
  const child = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = child.status ?? 1;
}

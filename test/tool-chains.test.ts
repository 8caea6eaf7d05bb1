import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { printSignatureFile, signatureFile } from '../src/base/signature/signature-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whet-chain-'));
after(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
writeFileSync(
  at('tools.ts'),
  `/** Doubles a number. */ export function double(n: number, times = 1): number { return n * 2 ** times; }\n`,
);
writeFileSync(at('tools.schema.ts'), printSignatureFile(await signatureFile(at('tools.ts')), 'tools.ts'));
writeFileSync(
  at('main.ts'),
  `import { toolsOf } from 'whetstone';
import * as source from './tools.ts';
import { signatures } from './tools.schema.ts';
const [double] = toolsOf(source, signatures);
const run = double?.run as ((input: object, context: object) => unknown) | undefined;
console.log(double?.name, run?.({ n: 4 }, {}));
`,
);
writeFileSync(at('package.json'), '{ "type": "module" }');
mkdirSync(at('node_modules'));
symlinkSync(root, at('node_modules/whetstone'));

function run(file: string, args: readonly string[] = []): string {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const child = spawnSync(process.execPath, [...args, file], { cwd: folder, encoding: 'utf8', env });
  assert.equal(child.status, 0, child.stderr);
  return child.stdout.trim();
}

test('signatures that were written ahead of time run as they stand', () => {
  assert.equal(run('main.ts', ['--conditions=whetstone-source']), 'double 8');
});

test('they type-check strictly, and come through the compiler', () => {
  const settings = ['--target', 'es2024', '--module', 'nodenext', '--strict', '--exactOptionalPropertyTypes'];
  const compiled = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...settings,
      ...['--customConditions', 'whetstone-source', '--skipLibCheck', '--types', 'node'],
      ...['--typeRoots', join(root, 'node_modules/@types'), '--rewriteRelativeImportExtensions'],
      ...['--outDir', 'out', 'main.ts', 'tools.ts', 'tools.schema.ts', '--rootDir', '/'],
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.equal(compiled.stdout, '');
  assert.equal(run(`out${folder}/main.js`, ['--conditions=whetstone-source']), 'double 8');
});

test('they come through esbuild, file by file and as one that knows no compiler', async () => {
  const { build } = await import('esbuild');
  const shared = { absWorkingDir: folder, format: 'esm', platform: 'node', logLevel: 'silent' } as const;
  // Each file by itself, as loaders and test runners do it; imports of `.ts` are theirs to follow.
  await build({ ...shared, entryPoints: ['main.ts', 'tools.ts', 'tools.schema.ts'], outdir: 'each' });
  const main = readFileSync(at('each/main.js'), 'utf8').replaceAll(/(\.\/tools[.a-z]*)\.ts/g, '$1.js');
  writeFileSync(at('each/main.js'), main);
  assert.equal(run('each/main.js', ['--conditions=whetstone-source']), 'double 8');

  const whole = { ...shared, entryPoints: ['main.ts'], bundle: true, conditions: ['whetstone-source'] };
  await build({ ...whole, minify: true, outfile: 'esbuild/main.js' });
  assert.equal(run('esbuild/main.js'), 'double 8');
});

test('they come through rolldown', async () => {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: at('main.ts'),
    cwd: folder,
    platform: 'node',
    logLevel: 'silent',
    resolve: { conditionNames: ['whetstone-source', 'import'] },
  });
  await bundle.write({ dir: at('rolled'), entryFileNames: 'main.js' });
  assert.equal(run('rolled/main.js'), 'double 8');
});

test('they come through Vite into one file that knows no compiler', async () => {
  const { build } = (await import('vite')) as typeof import('vite');
  await build({
    root: folder,
    logLevel: 'silent',
    configFile: false,
    resolve: { conditions: ['whetstone-source'], preserveSymlinks: true },
    ssr: { noExternal: ['whetstone'], resolve: { conditions: ['whetstone-source'] } },
    build: {
      ssr: 'main.ts',
      outDir: 'bundle',
      minify: true,
      rollupOptions: { output: { entryFileNames: 'main.js' } },
    },
  });
  assert.equal(run('bundle/main.js'), 'double 8');
  assert.ok(!/from\s*["']typescript/.test(readFileSync(at('bundle/main.js'), 'utf8')));
});

test('the doors that can do without the optional peers come through esbuild where none is installed', async () => {
  const { build } = await import('esbuild');
  const whetstone = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly 'whetstone-source': string }>>;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  // Links are not followed: what is looked for is looked for here, where only the dependencies are.
  const packages = at('bare/node_modules');
  mkdirSync(join(packages, '@hono'), { recursive: true });
  mkdirSync(join(packages, '@standard-schema'));
  mkdirSync(join(packages, 'whetstone'));
  for (const name of Object.keys(whetstone.dependencies))
    symlinkSync(join(root, 'node_modules', name), join(packages, name));
  for (const name of ['src', 'package.json'])
    symlinkSync(join(root, name), join(packages, 'whetstone', name));
  const peersOwn = ['./mcp', './telemetry'];
  const doors = Object.entries(whetstone.exports).flatMap(([door, place]) =>
    typeof place === 'string' || peersOwn.includes(door) ? [] : [place['whetstone-source']],
  );
  assert.ok(doors.includes('./src/serve/server/index.ts'));
  const { warnings } = await build({
    entryPoints: doors.map((door) => join(packages, 'whetstone', door)),
    outdir: at('bare/out'),
    ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'silent', preserveSymlinks: true },
  });
  assert.deepEqual(warnings, []);
});

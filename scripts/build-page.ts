/** Builds the page into `viewer/dist` when something it is made of has changed. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Answers whether it had to build. */
export async function buildPage(): Promise<boolean> {
  if (!existsSync(join(root, 'viewer/index.html'))) return false;
  const made = join(root, 'viewer/dist/.made-from');
  const sources = hashOfSources();
  if (existsSync(made) && readFileSync(made, 'utf8') === sources) return false;
  const { build } = await import('vite');
  const viewer = { root: join(root, 'viewer'), logLevel: 'warn' } as const;
  await build(viewer);
  // A saved page has all of it in one script.
  const output = { codeSplitting: false, entryFileNames: 'page.js' };
  await build({
    ...viewer,
    build: { outDir: 'dist/saved', rolldownOptions: { input: 'viewer/src/main.tsx', output } },
  });
  writeFileSync(made, sources); // Last, so that a build that broke off is done again.
  return true;
}

/** The page is made of its own files, of the contract and the client, and of what these rest on. */
function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(
    ['viewer/**/*', 'src/{base,grade,serve/api,serve/client}/**/*.ts', 'package-lock.json'],
    {
      cwd: root,
      exclude: ['viewer/dist', 'viewer/dist/**', 'viewer/node_modules', '**/*.test.ts'],
      withFileTypes: true,
    },
  ).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted()) {
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

if (import.meta.main) console.log((await buildPage()) ? 'page built' : 'page is up to date');

/**
 * What the pages show is what works: every program on them has the types of the package, those marked `ts run` run,
 * and every command line is one that `whet` understands.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { CommanderError, type Command } from 'commander';

import { commands } from '../src/serve/cli/commands.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root })
  .filter((page) => !page.endsWith('cli.md'))
  .toSorted();

interface Block {
  /** Page and line, for whoever reads the failure. */
  readonly place: string;
  readonly kind: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map((match) => ({
    place: `${page}:${text.slice(0, match.index).split('\n').length + 1}`,
    kind: match[1] ?? '',
    text: match[2] ?? '',
  }));
}

const blocks = pages.flatMap(blocksOf);
const programs = blocks.filter(({ kind }) => kind === 'ts' || kind === 'ts run');

/** Names that a page may use without a word, since every reader has such a thing. */
const given = `import type { AnyTool, Message, Model } from 'whetstone';
declare global {
  const model: Model;
  const tools: readonly AnyTool[];
  const weather: AnyTool;
  const messages: readonly Message[];
  const stored: string;
}
`;

test('every program of the pages has the types of the package', async (context) => {
  assert.ok(programs.length > 25);
  const folder = mkdtempSync(join(tmpdir(), 'whet-guide-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const paths = Object.entries(exports).flatMap(([door, target]) =>
    typeof target === 'string'
      ? []
      : [[`whetstone${door.slice(1)}`, [join(root, target['whetstone-source']!)]]],
  );
  const compilerOptions = { paths: Object.fromEntries(paths), declaration: false };
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write(
    'tsconfig.json',
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*'] }),
  );
  write('package.json', '{"type":"module"}');
  write('given.d.ts', given);
  // What a page says is beside the program: the tools of the examples, and their signatures.
  cpSync(join(root, 'examples/tools'), join(folder, 'tools'), { recursive: true });
  write(
    'tools/prices.schema.ts',
    `import type { SignatureFile } from 'whetstone/schema';\nexport declare const signatures: SignatureFile;\n`,
  );
  for (const { place, text } of programs)
    // Without an import a file would be no module, and could not await.
    write(`${place.replaceAll(/[^\w.]+/g, '_')}.ts`, `${text}export {};\n`);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const told = await promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false'], {
    shell: process.platform === 'win32',
  }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  assert.equal(told, '', 'the names of the files are page and line');
});

test('the programs that are marked so run', async () => {
  const running = programs.filter(({ kind, place }) => kind === 'ts run' && !place.includes('03-json'));
  assert.ok(running.length >= 4);
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const outputs = await Promise.all(
    running.map(({ text }) =>
      promisify(execFile)(
        process.execPath,
        ['--conditions=whetstone-source', '--input-type=module-typescript', '--eval', text],
        { cwd: root, env, timeout: 120_000 },
      ),
    ),
  );
  for (const [index, { stdout }] of outputs.entries()) {
    const { place, text } = running[index]!;
    // A comment on a line of its own says what is printed.
    for (const [, shown = ''] of text.matchAll(/^\/\/ (items\[.*)$/gm))
      assert.ok(stdout.includes(`${shown}\n`), `${place} does not print: ${shown}`);
    assert.notEqual(stdout, '', `${place} shows nothing`);
  }
});

/** Lines of blocks, and code within sentences, that call `whet`. */
function callsOfWhet(): { place: string; line: string; inline: boolean }[] {
  const call = /^(?:\$ )?(?:npm run -s whet -- |npx --no-install whet |whet )(.*)$/;
  const found = blocks.flatMap(({ place, kind, text }) =>
    ['', 'sh', 'bash'].includes(kind) ? text.split('\n').map((line) => ({ place, line, inline: false })) : [],
  );
  for (const place of pages) {
    const prose = readFileSync(join(root, place), 'utf8').replaceAll(/^```.*?^```$/gms, '');
    for (const [, line = ''] of prose.matchAll(/`([^`\n]+)`/g)) found.push({ place, line, inline: true });
  }
  return found.flatMap(({ line, ...rest }) => {
    const [, argv] = call.exec(line) ?? [];
    return argv === undefined || argv.startsWith('<') ? [] : [{ ...rest, line: argv }];
  });
}

/** As a shell would cut it, up to a comment, a pipe or a file. */
function words(line: string): string[] {
  const parts = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const end = parts.findIndex((part) => /^(?:[#|<>]|&&|\/\/)/.test(part));
  return end < 0 ? parts : parts.slice(0, end);
}

function readOnly(command: Command): Command {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  if (command.commands.length === 0) command.action(() => {});
  command.commands.forEach(readOnly);
  return command;
}

async function whyNot(line: string, inline: boolean): Promise<string | undefined> {
  const [name, ...argv] = words(line);
  if (name === undefined || name.startsWith('-') || name === 'help') return undefined;
  const entry = commands.find((one) => one.name === name);
  if (entry === undefined) return `there is no command ${name}`;
  try {
    readOnly((await entry.load()).command()).parse(argv, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code.startsWith('commander.help')) return undefined;
    // A sentence may name a command without all that it needs.
    return inline && error.code.startsWith('commander.missing') ? undefined : error.message;
  }
}

test('every command line of the pages is one that whet understands', async () => {
  const calls = callsOfWhet();
  assert.ok(calls.length > 60, `${calls.length} calls`);
  const faults: string[] = [];
  for (const { place, line, inline } of calls) {
    const fault = await whyNot(line, inline);
    if (fault !== undefined) faults.push(`${place}: whet ${line}: ${fault}`);
  }
  assert.deepEqual(faults, []);
  assert.match((await whyNot('run a/b --varient 1', false)) ?? '', /unknown option/);
  assert.match((await whyNot('stores export', true)) ?? '', /no command/);
  assert.match((await whyNot('store exprot', true)) ?? '', /unknown command/);
});

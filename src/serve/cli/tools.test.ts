import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const room = mkdtempSync(join(tmpdir(), 'whet-cli-tools-'));
after(() => rmSync(room, { recursive: true }));

const file = join(room, 'tools.ts');
writeFileSync(
  file,
  `import { failCall, tool } from 'whetstone';
export const weather = tool({
  name: 'weather', description: 'Weather of a city',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => (city === 'Atlantis' ? failCall('It has sunk.') : \`Rain in \${city}\`),
});
export const pay = tool({ name: 'pay', description: 'Pays', approval: 'always', run: () => 'paid' });
export const unrelated = 7;
`,
);

function whet(...given: readonly string[]): {
  readonly code: number | null;
  readonly json: never;
  readonly err: string;
} {
  const ran = spawnSync(process.execPath, [join(root, 'bin/whet.js'), 'tools', ...given], {
    cwd: room,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return {
    code: ran.status,
    json: (ran.stdout === '' ? undefined : JSON.parse(ran.stdout)) as never,
    err: ran.stderr,
  };
}

test('lists the tools of ./tools.ts, which may import whetstone from anywhere', () => {
  const { code, json } = whet('list');
  assert.equal(code, 0);
  const tools = json as { name: string; approval: string }[];
  assert.deepEqual(
    tools.map(({ name, approval }) => [name, approval]),
    [
      ['pay', 'always'],
      ['weather', 'never'],
    ],
  );
});

test('calls a tool, and says by its exit code whether that went well', () => {
  const good = whet('call', 'weather', '{"city":"Oslo"}');
  assert.deepEqual([good.code, (good.json as { text: string }).text], [0, 'Rain in Oslo']);
  const failed = whet('call', 'weather', '{"city":"Atlantis"}');
  assert.deepEqual([failed.code, (failed.json as { text: string }).text], [1, 'It has sunk.']);
  assert.match((whet('call', 'weather', '{}').json as { text: string }).text, /city/);
  assert.match((whet('call', 'wether', '{}').json as { text: string }).text, /Did you mean "weather"/);
  const unapproved = whet('call', 'pay');
  assert.equal(unapproved.code, 1);
  assert.match(unapproved.err, /--yes/);
  assert.equal(whet('call', 'pay', '--yes').code, 0);
});

test('shows what a provider will see', () => {
  const { code, json } = whet('inspect', file, '--api', 'anthropic');
  assert.equal(code, 0);
  const shown = json as { tools: { name: string; sent: boolean }[]; request: { tools: { name: string }[] } };
  assert.deepEqual(
    shown.tools.map((tool) => tool.sent),
    [true, true],
  );
  assert.deepEqual(
    shown.request.tools.map((tool) => tool.name),
    ['pay', 'weather'],
  );
  assert.equal(whet('inspect', file, '--api', 'nobody').code, 2);
  const all = whet('inspect', file).json as { api: string; tools: object[] }[];
  assert.ok(all.length > 5 && all.some(({ api }) => api === 'gemini'), 'every API where none is named');
  assert.deepEqual(all.find(({ api }) => api === 'anthropic')?.tools, shown.tools);
  const broken = join(room, 'broken.ts');
  writeFileSync(broken, 'throw new Error("no database");');
  const refused = whet('inspect', broken, '--api', 'anthropic');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /broken\.ts cannot be loaded as a module of tools: no database, at file:/);
});

test('checks a folder of commands tool by tool', () => {
  const folder = join(room, 'commands');
  for (const [name, description] of [
    ['good', 'Works'],
    ['bad', ''],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'spec.json'), JSON.stringify({ name, description }));
    writeFileSync(join(folder, name, 'run'), '#!/bin/sh\necho fine\n', { mode: 0o755 });
  }
  const { code, json } = whet('check', folder);
  const report = json as { tools: number; faults: { code: string }[] };
  assert.deepEqual(
    [code, report.tools, report.faults.map((fault) => fault.code)],
    [1, 1, ['command_tool_invalid']],
  );
  assert.equal(
    (whet('call', 'good', '--tools', join(folder, 'good')).json as { text: string }).text,
    'fine\n',
  );
  assert.match(whet('check', join(room, 'nothing')).err, /There is nothing at/);
});

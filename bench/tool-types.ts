import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Claim, round } from './harness.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = 60;

/** One schema of some size, so that inference has something to do. */
const schema = `z.object({
  id: z.string(), amount: z.number().int().min(1), when: z.iso.date().optional(),
  tags: z.array(z.string()).default([]), kind: z.enum(['a', 'b', 'c']),
  lines: z.array(z.object({ sku: z.string(), quantity: z.number(), note: z.string().nullable() })),
  address: z.object({ street: z.string(), city: z.string(), country: z.union([z.literal('no'), z.literal('se')]) }),
})`;

const programs: Readonly<Record<string, (index: number) => string>> = {
  'bare schemas, used by a function': (n) =>
    `const s${n} = ${schema};\nexport const f${n} = (input: z.output<typeof s${n}>) => \`\${input.id} \${input.lines[0]?.sku}\`;`,
  'whetstone tool({…})': (n) =>
    `const s${n} = ${schema};\nexport const t${n} = tool({ name: 't${n}', description: 'd', input: s${n}, run: (input) => \`\${input.id} \${input.lines[0]?.sku}\` });`,
};

export const claim: Claim = {
  name: 'tool-types',
  title: `the types of ${tools} tools cost an editor what their schemas cost`,
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-tool-types-'));
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const names = Object.keys(programs);
      const times = new Map<string, number[]>(names.map((name) => [name, []]));
      for (let each = 0; each < rounds; each++) {
        for (const [index, name] of names.entries())
          times.get(name)!.push(check(folder, index, programs[name]!));
      }
      // The fastest of the rounds: a compiler does the same work each time, and only the machine can make it slower.
      const fastest = names.map((name) => Math.min(...times.get(name)!));
      const [bare, ours] = fastest as [number, number];
      return {
        rows: names.map((name, index) => ({
          program: name,
          'check time, s': round(fastest[index]!),
          'times the bare schemas': round(fastest[index]! / bare),
        })),
        limits: [
          {
            says: 'check time of the tools / of the bare schemas',
            measured: round(ours / bare),
            atMost: 1.1,
          },
        ],
        notes: [
          `\`tsc --noEmit --extendedDiagnostics\`, its "Check time" on one thread, the fastest round; ${tools} tools with a schema of their own each.`,
        ],
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function check(folder: string, index: number, program: (index: number) => string): number {
  const file = join(folder, `program${index}.ts`);
  const head = `import { z } from 'zod';\nimport { tool } from '${root}src/run/tool/define-tool.ts';\nexport const unused = tool;\n`;
  writeFileSync(file, head + Array.from({ length: tools }, (_, n) => program(n)).join('\n'));
  const flags =
    '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2024 --module nodenext --allowImportingTsExtensions --singleThreaded --extendedDiagnostics';
  const ran = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), file],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  const seconds = /^Check time:\s+([\d.]+)s/m.exec(ran.stdout)?.[1];
  if (ran.status !== 0 || seconds === undefined) throw new Error(`tsc failed: ${ran.stdout}${ran.stderr}`);
  return Number(seconds);
}

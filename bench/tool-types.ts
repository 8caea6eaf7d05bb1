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

/** What each program writes for one schema; the first of them writes nothing, and is taken from the others. */
const programs: Readonly<
  Record<string, { readonly head: string; readonly line?: (index: number) => string }>
> = {
  imports: { head: '' },
  'bare schemas, used by a function': {
    head: '',
    line: (n) =>
      `const s${n} = ${schema};\nexport const f${n} = (input: z.output<typeof s${n}>) => \`\${input.id} \${input.lines[0]?.sku}\`;`,
  },
  'whetstone tool({…})': {
    head: '',
    line: (n) =>
      `const s${n} = ${schema};\nexport const t${n} = tool({ name: 't${n}', description: 'd', input: s${n}, run: (input) => \`\${input.id} \${input.lines[0]?.sku}\` });`,
  },
  'ai tool({…})': {
    head: `import { tool as peer } from 'ai';`,
    line: (n) =>
      `const s${n} = ${schema};\nexport const t${n} = peer({ description: 'd', inputSchema: s${n}, execute: async (input) => \`\${input.id} \${input.lines[0]?.sku}\` });`,
  },
  '@openai/agents tool({…})': {
    head: `import { tool as peer } from '@openai/agents';`,
    line: (n) =>
      `const s${n} = ${schema};\nexport const t${n} = peer({ name: 't${n}', description: 'd', parameters: s${n}, execute: async (input) => \`\${input.id} \${input.lines[0]?.sku}\` });`,
  },
};

export const claim: Claim = {
  name: 'tool-types',
  title: `the types of ${tools} tools cost an editor what their schemas cost`,
  async measure({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'whet-tool-types-'));
    try {
      symlinkSync(join(root, 'bench/node_modules'), join(folder, 'node_modules'));
      const files = Object.values(programs).map((program, index) => write(folder, index, program));
      const empty = Object.values(programs).map(({ head }, index) => write(folder, 100 + index, { head }));
      const work = files.map((file, index) => {
        const [all, nothing] = [countsOf(folder, file), countsOf(folder, empty[index]!)];
        return {
          instantiations: all.instantiations - nothing.instantiations,
          types: all.types - nothing.types,
        };
      });
      const times = files.map((): number[] => []);
      for (let each = 0; each < rounds; each++)
        for (const [index, file] of files.entries()) times[index]!.push(cpuTime(folder, file));
      // The fastest of the rounds: a compiler does the same work each time, and only the machine can make it slower.
      const fastest = times.map((all) => Math.min(...all));
      const [, bare, ours] = work as [unknown, (typeof work)[0], (typeof work)[0]];
      return {
        rows: Object.keys(programs).map((program, index) => ({
          program,
          instantiations: work[index]!.instantiations,
          'times the bare schemas': round(work[index]!.instantiations / bare.instantiations),
          types: work[index]!.types,
          'CPU of the compiler, s': round(fastest[index]!),
        })),
        limits: [
          {
            says: 'type instantiations of the tools / of the bare schemas',
            measured: round(ours.instantiations / bare.instantiations),
            atMost: 1.1,
          },
          {
            says: 'CPU time of the compiler with the tools / with the bare schemas',
            measured: round(fastest[2]! / fastest[1]!),
            atMost: 1.1,
          },
        ],
        notes: [
          `${tools} tools with a schema of their own each. Instantiations and types are what the compiler counts (\`--extendedDiagnostics\`), without those of a program that only imports: the same on every machine, at every run.`,
          'CPU time is of the whole compiler on one thread, start and libraries included, the fastest of the rounds in turn; each peer also reads its own declarations in it.',
        ],
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

type Program = (typeof programs)[string];

function write(folder: string, index: number, { head, line }: Program): string {
  const file = join(folder, `program${index}.ts`);
  const imports = `import { z } from 'zod';\nimport { tool } from '${root}src/run/tool/define-tool.ts';\n${head}\nexport const unused = [z, tool];\n`;
  const lines = line === undefined ? [] : Array.from({ length: tools }, (_, n) => line(n));
  writeFileSync(file, imports + lines.join('\n'));
  return file;
}

const flags =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2024 --module nodenext --allowImportingTsExtensions --singleThreaded';
const types = `--types node --typeRoots ${join(root, 'node_modules/@types')}`;
/** The compiler itself, without the script that starts it. */
const { default: compilerPath } = (await import(`${root}node_modules/typescript/lib/getExePath.js`)) as {
  readonly default: () => string;
};
const compiler = compilerPath();

function countsOf(folder: string, file: string): { readonly instantiations: number; readonly types: number } {
  const args = [...flags.split(' '), ...types.split(' '), '--extendedDiagnostics', file];
  const { status, stdout, stderr } = spawnSync(compiler, args, { cwd: folder, encoding: 'utf8' });
  const count = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(stdout)?.[1]);
  const counts = { instantiations: count('Instantiations'), types: count('Types') };
  if (status !== 0 || Number.isNaN(counts.instantiations)) throw new Error(`tsc failed: ${stdout}${stderr}`);
  return counts;
}

/** Seconds of processor time, of all its threads: what a busy machine adds by making it wait does not count. */
function cpuTime(folder: string, file: string): number {
  // `times` of the shell: its second line is what its children took, for the user and in the system.
  const script = `'${compiler}' ${flags} ${types} '${file}' && times`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
  const spent = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  if (status !== 0 || spent.length !== 2) throw new Error(`tsc failed: ${stdout}${stderr}`);
  return spent.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

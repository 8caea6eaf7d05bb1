import { doors } from './doors.ts';
import { seesFaults } from './testing/plant.ts';

const file = 'src/run/tool/x.ts';

seesFaults(
  doors,
  {
    'src/base/host/fetch.ts': 'export const get = (url: string) => globalThis.fetch(url);',
    'src/base/host/environment.ts': "export const home = () => process.env['HOME'];",
    'src/base/host/clock.ts':
      'export const now = () => Date.now(); export const later = (f: () => void) => setTimeout(f, 1);',
    'src/base/host/random.ts': 'export const random = () => Math.random();',
    'src/grade/store/sqlite/sqlite.ts':
      "import { DatabaseSync } from 'node:sqlite';\nexport const open = DatabaseSync;",
    'src/run/tool/fine.ts':
      "export const f = (fetch: () => void, at: number) => { fetch(); return new Date(at).getTime() + 'Math.random'.length; };\n// Date.now() in a comment",
    'src/run/tool/fine.test.ts': 'export const f = () => Date.now();',
  },
  {
    'a fetch': [
      { [file]: "export const f = () => fetch('http://localhost');" },
      /uses fetch\(\), whose door is src\/base\/host\/fetch\.ts/,
    ],
    'a fetch that is passed on': [{ [file]: 'export const f = globalThis.fetch;' }, /globalThis\.fetch/],
    'the environment': [{ [file]: "export const f = () => process.env['HOME'];" }, /process\.env/],
    'the time': [{ [file]: 'export const f = () => Date.now();' }, /Date\.now/],
    'the time as a date': [{ [file]: '\nexport const f = () => new Date();' }, /x\.ts:2 uses new Date\(\)/],
    'a stop watch': [{ [file]: 'export const f = () => performance.now();' }, /performance\.now/],
    'a timer': [{ [file]: 'export const f = (g: () => void) => setTimeout(g, 5);' }, /setTimeout/],
    'a timer in a signal': [
      { [file]: 'export const f = () => AbortSignal.timeout(5);' },
      /AbortSignal\.timeout/,
    ],
    'a timer by import': [
      { [file]: "import { setTimeout } from 'node:timers/promises';\nexport const f = setTimeout;" },
      /node:timers/,
    ],
    chance: [{ [file]: 'export const f = () => Math.random();' }, /Math\.random/],
    'chance by import': [
      { [file]: "import { randomUUID } from 'node:crypto';\nexport const f = randomUUID;" },
      /randomUUID/,
    ],
    'chance on the global': [{ [file]: 'export const f = () => crypto.randomUUID();' }, /crypto\.randomUUID/],
    'a second door to a package': [
      { [file]: "export const f = () => import('node:sqlite');" },
      /node:sqlite has 2 doors instead of one/,
    ],
    'two doors to a part of a package': [
      {
        [file]: "import ts from 'typescript/unstable/sync';\nexport const f = ts;",
        'src/run/tool/y.ts': "import type { Node } from 'typescript';\nexport type Y = Node;",
      },
      /typescript has 2 doors/,
    ],
  },
);

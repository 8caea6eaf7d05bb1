import { cycles } from './cycles.ts';
import { seesFaults } from './testing/plant.ts';

seesFaults(
  cycles,
  {
    'src/base/host/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
    'src/base/host/b.ts': "import type { A } from './a.ts';\nexport type B = A[];",
  },
  {
    'two files that need each other': [
      {
        'src/base/host/c.ts': "import { d } from './d.ts';\nexport const c = () => d;",
        'src/base/host/d.ts': "import { c } from './c.ts';\nexport const d = () => c;",
      },
      /c\.ts → src\/base\/host\/d\.ts → src\/base\/host\/c\.ts/,
    ],
    'a cycle that is closed by a re-export': [
      {
        'src/base/host/c.ts': "export { d } from './d.ts';",
        'src/base/host/d.ts': "export { e } from './e.ts';",
        'src/base/host/e.ts': "export { d } from './c.ts';",
      },
      /→/,
    ],
  },
);

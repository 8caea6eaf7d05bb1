import { portable } from './portable.ts';
import { seesFaults } from './testing/plant.ts';

const lock = (entry: object): string => JSON.stringify({ packages: { 'node_modules/a': entry } });

seesFaults(
  portable,
  {
    'src/run/tool/x.ts': "export const x = 'https://example.org/work/it/';",
    'package-lock.json': lock({ version: '1.0.0', integrity: 'sha512-x' }),
  },
  {
    'a path of one machine': [
      { 'docs/x.md': `see ${['', 'home', 'anna', 'x'].join('/')}` },
      /docs\/x\.md:1 names a path/,
    ],
    'a download address': [
      { 'package-lock.json': lock({ version: '1.0.0', resolved: 'https://registry.example/a.tgz' }) },
      /names download addresses/,
    ],
    'a lock file without all platforms': [
      {
        'bench/package-lock.json': lock({
          version: '1.0.0',
          optionalDependencies: { 'a-linux-x64': '1.0.0' },
        }),
      },
      /lacks 1 platform packages/,
    ],
  },
);

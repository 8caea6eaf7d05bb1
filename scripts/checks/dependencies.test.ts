import { dependencies } from './dependencies.ts';
import { seesFaults } from './testing/plant.ts';

const page = (rows: string): string =>
  `| dependency | for | reason | lost |\n| --- | --- | --- | --- |\n${rows}`;
const row = '| `hono` | routes | 17 µs | fastify |\n';
const manifest = (dependencies: Record<string, string>): string => JSON.stringify({ dependencies });

seesFaults(
  dependencies,
  { 'package.json': manifest({ hono: '4.13.19' }), 'docs/design/dependencies.md': page(row) },
  {
    'a dependency without a reason': [
      { 'package.json': manifest({ hono: '4.13.19', koa: '3.0.0' }) },
      /koa has no row/,
    ],
    'one of the viewer’s, too': [
      { 'viewer/package.json': manifest({ preact: '11.2.0' }) },
      /preact has no row/,
    ],
    'a reason without a dependency': [
      { 'docs/design/dependencies.md': page(`${row}| \`koa\` | a | b | c |\n`) },
      /explains koa, which nothing/,
    ],
    'a range instead of a version': [
      { 'package.json': manifest({ hono: '^4.13.19' }) },
      /not pinned exactly/,
    ],
    'a range under another name': [
      { 'package.json': manifest({ hono: 'npm:koa@^3.0.0' }) },
      /not pinned exactly/,
    ],
    'a row with an empty cell': [
      { 'docs/design/dependencies.md': page('| `hono` | routes | | fastify |\n') },
      /a cell is empty/,
    ],
  },
);

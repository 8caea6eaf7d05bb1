import { importOrder } from './import-order.ts';
import { seesFaults } from './testing/plant.ts';

const to = (path: string): string => `import { x } from '${path}';\nexport const y = x;\n`;

seesFaults(
  importOrder,
  {
    'src/base/host/clock.ts': 'export const x = 1;',
    'src/base/json/read.ts': to('../host/clock.ts'),
    'src/wire/json-fields.ts': to('../base/json/read.ts'),
    'src/wire/request/ready-history.ts': to('../json-fields.ts'),
    'src/wire/transport/http.ts': to('../request/history.ts'),
    'src/wire/model.ts': to('./transport/http.ts'),
    'src/wire/anthropic/read.ts': to('../request/history.ts'),
    'src/wire/gemini/read.ts': to('../../base/json/read.ts'),
    'src/wire/catalog.ts': to('./anthropic/read.ts'),
    'src/wire/mock/serve.ts': to('../catalog.ts'),
    'src/run/tool/tool.ts': to('../../base/json/read.ts'),
    'src/run/loop/run.ts': to('../tool/tool.ts'),
    'src/run/loop/run.test.ts': to('../../wire/mock/serve.ts'),
    'src/serve/client/client.ts': to('../../base/json/read.ts'),
    'src/serve/http/refusal.ts': to('../../run/loop/run.ts'),
    'src/serve/server/serve.ts': to('../../run/loop/run.ts'),
    'src/serve/server/testing/start.ts': to('../serve.ts'),
    'src/serve/protocol/play.test.ts': to('../server/testing/start.ts'),
    'viewer/src/page.ts': to('../../src/serve/client/client.ts'),
  },
  {
    'a wing that imports a later one': [
      { 'src/base/json/up.ts': to('../../run/tool/tool.ts') },
      /run\/tool comes after base\/json/,
    ],
    'a type that is imported upward': [
      { 'src/base/json/up.ts': "export type T = import('../../run/tool/tool.ts').X;\n" },
      /run\/tool comes after/,
    ],
    'an upward re-export': [
      { 'src/base/host/up.ts': "export * from '../json/read.ts';" },
      /base\/json comes after base\/host/,
    ],
    'an upward import that is dynamic': [
      { 'src/run/tool/up.ts': "export const x = async () => (await import('../loop/run.ts')).y;" },
      /run\/loop comes after run\/tool/,
    ],
    'providers that know each other': [
      { 'src/wire/gemini/up.ts': to('../anthropic/read.ts') },
      /are brothers/,
    ],
    'a client that knows the server': [
      { 'src/serve/client/up.ts': to('../http/refusal.ts') },
      /are brothers/,
    ],
    'a loop that knows a provider': [
      { 'src/run/loop/up.ts': to('../../wire/anthropic/read.ts') },
      /only as a Model/,
    ],
    'a provider that uses the catalog': [
      { 'src/wire/gemini/up.ts': to('../catalog.ts') },
      /comes after wire\/gemini/,
    ],
    'a shared file of the wires that has grown a provider': [
      { 'src/wire/request/ready-history.ts': to('../gemini/read.ts') },
      /wire\/gemini comes after wire \(shared\)/,
    ],
    'a file beside the providers that has grown one, and is used by another': [
      {
        'src/wire/odd.ts': to('./gemini/read.ts'),
        'src/wire/anthropic/up.ts': to('../odd.ts'),
      },
      /wire \(after providers\) comes after wire\/anthropic/,
    ],
    'a provider that fetches': [
      { 'src/wire/anthropic/up.ts': to('../transport/http.ts') },
      /wire \(after providers\) comes after wire\/anthropic/,
    ],
    'a provider that uses what fetches': [
      { 'src/wire/anthropic/up.ts': to('../model.ts') },
      /wire \(after providers\) comes after wire\/anthropic/,
    ],
    'a test that imports upward, the mock aside': [
      { 'src/base/json/read.test.ts': to('../../run/tool/tool.ts') },
      /comes after base\/json/,
    ],
    'a protocol’s test that reaches into the server': [
      { 'src/serve/protocol/up.test.ts': to('../server/serve.ts') },
      /serve\/server comes after serve\/protocol/,
    ],
    'a loop that uses the mock outside of tests': [
      { 'src/wire/anthropic/up.ts': to('../mock/serve.ts') },
      /wire\/mock comes after/,
    ],
    'a source that imports a test’s file': [
      {
        'src/base/json/up.ts': to('./testing/data.ts'),
        'src/base/json/testing/data.ts': 'export const x = 1;',
      },
      /belongs to tests/,
    ],
    'a file in no room': [{ 'src/misplaced/x.ts': 'export const x = 1;' }, /no room/],
    'a page that knows the server': [
      { 'viewer/src/up.ts': to('../../src/serve/server/serve.ts') },
      /only serve\/api/,
    ],
  },
);

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { apiPage } from '../scripts/api-page.ts';
import { testServer } from '../src/serve/server/testing/test-server.ts';

const page = (path: string): string => readFileSync(new URL(`../docs/${path}`, import.meta.url), 'utf8');

test('docs/reference/api.md and the guide’s endpoints are those of a running server (npm run docs)', async () => {
  const server = await testServer();
  const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  assert.equal(page('reference/api.md'), apiPage(document));

  const served = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  );
  const table = page('guide/13-server.md').split('## Endpoints')[1]!.split('\n## ')[0]!;
  const told = [...table.matchAll(/`((?:GET|POST|DELETE) [^`]+)`/g)].map(([, one]) => one);
  assert.deepEqual([...new Set(told)].toSorted(), served.toSorted());
});

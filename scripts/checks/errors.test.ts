import assert from 'node:assert/strict';
import { test } from 'node:test';

import { errors, readErrorTable } from './errors.ts';
import { seesFaults } from './testing/plant.ts';

const table = (entries: string): string =>
  `export const errorTable = {\n  // host\n${entries}\n} as const satisfies Record<string, unknown>;\n`;
const known = "  lost_key: {\n    meaning: 'A key is lost.',\n    remedy: \"Don't.\",\n  },";
const other = "  odd_key: {\n    meaning: 'Odd.',\n    remedy: 'Even.',\n  },";

seesFaults(
  errors,
  {
    'src/base/host/errors.ts': table(known),
    'src/run/tool/x.ts': "export const f = () => { throw new WhetstoneError('lost_key', 'x'); };",
    'src/run/tool/x.test.ts': "test('x', () => assert.throws(f, { code: 'lost_key' }));",
  },
  {
    'a code that nothing throws': [
      { 'src/base/host/errors.ts': table(`${known}\n${other}`), 'src/run/tool/y.test.ts': "'odd_key'" },
      /odd_key is in the table and nothing throws it/,
    ],
    'a code that no test names': [
      {
        'src/base/host/errors.ts': table(`${known}\n${other}`),
        'src/run/tool/y.ts': "export const y = 'odd_key';",
      },
      /odd_key is named by no test/,
    ],
  },
);

test('reads the table as it is written, and refuses an entry that it cannot read', () => {
  assert.deepEqual(readErrorTable(table(known)), [
    { code: 'lost_key', room: 'host', meaning: 'A key is lost.', remedy: "Don't." },
  ]);
  assert.throws(() => readErrorTable(table('  odd: { text: 1 },')), /cannot read: odd/);
});

import { seesFaults } from './testing/plant.ts';
import { tests } from './tests.ts';

// In two parts, so that a plain search for such tests does not find this file.
const only = ['on', 'ly'].join('');
const skip = ['sk', 'ip'].join('');

seesFaults(
  tests,
  {
    'src/run/tool/x.test.ts':
      "test('a', { skip: 'needs a screen' }, () => {});\ntest('b', (t) => { if (!x) t.skip('no recordings here'); });\ntest('c', { skip: x ? false : 'no x' }, () => {});",
  },
  {
    'a test that runs alone': [
      { 'src/run/tool/y.test.ts': `\ntest.${only}('x', () => {});` },
      /y\.test\.ts:2 calls test\.only/,
    ],
    'a test that runs alone by option': [
      { 'test/y.test.ts': `test('x', { ${only}: true }, () => {});` },
      /only this test/,
    ],
    'a suite left out by call': [{ 'test/y.test.ts': `describe.${skip}('x', () => {});` }, /describe\.skip/],
    'a test left out without a word': [
      { 'test/y.test.ts': `test('x', { ${skip}: true }, () => {});` },
      /without a reason/,
    ],
    'a test left out on a bare condition': [
      { 'test/y.test.ts': `test('x', { ${skip}: !there }, () => {});` },
      /without a reason/,
    ],
    'a test left out from within, without a word': [
      { 'test/y.test.ts': `test('x', (t) => { t.${skip}(); });` },
      /without a reason/,
    ],
  },
);

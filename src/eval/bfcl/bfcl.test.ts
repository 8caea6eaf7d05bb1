import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { isWhetstoneError } from '../../base/host/errors.ts';
import { openBfcl } from './open.ts';

const root = mkdtempSync(join(tmpdir(), 'whet-bfcl-'));
after(() => rmSync(root, { recursive: true }));

/** A checkout with one question of v4, and a model that is told of names with `_`. */
function checkout(): string {
  const data = join(root, 'bfcl_eval/data');
  mkdirSync(join(data, 'possible_answer'), { recursive: true });
  mkdirSync(join(root, 'bfcl_eval/constants'), { recursive: true });
  const described = functionOf('math.half', { of: { type: 'integer' } }, ['of']);
  const question = { id: 'live_multiple_0-0-0', question: [[]], function: [described] };
  const answer = { id: 'live_multiple_0-0-0', ground_truth: [{ 'math.half': { of: [5] } }] };
  writeFileSync(join(data, 'BFCL_v4_live_multiple.json'), `${JSON.stringify(question)}\n`);
  writeFileSync(join(data, 'possible_answer/BFCL_v4_live_multiple.json'), JSON.stringify(answer));
  writeFileSync(
    join(root, 'bfcl_eval/constants/model_config.py'),
    [
      'models = {',
      '    "plain": ModelConfig(',
      '        underscore_to_dot=False,',
      '    ),',
      '    "org/dotless-FC": ModelConfig(',
      '        underscore_to_dot=True,',
      '    ),',
      '}',
    ].join('\n'),
  );
  return root;
}

function functionOf(name: string, properties: object, required: readonly string[]) {
  return { name, description: '', parameters: { type: 'dict', properties, required } };
}

const grade = openBfcl(checkout());

interface Asked {
  readonly version?: '2024-08' | 'v4';
  readonly category?: string;
  /** The type of the one parameter of `f`, or the schemas of all. */
  readonly type: string | object;
  readonly allowed: readonly unknown[];
  /** The argument as it is written: the form of a number counts. */
  readonly given: string;
}

/** The error type of a call of `f` with one argument; `undefined` where it is valid. */
function errorOf({ version = 'v4', category, type, allowed, given }: Asked): string | undefined {
  const schema = typeof type === 'string' ? { type } : type;
  const described = functionOf('f', { a: schema }, ['a']);
  const possible = { f: { a: allowed } };
  return errorOfLine({
    version,
    category: category ?? (version === 'v4' ? 'simple_python' : 'simple'),
    function: version === 'v4' ? [described] : described,
    possible_answer: version === 'v4' ? [possible] : possible,
    calls: `[{"f": {"a": ${given}}}]`,
  });
}

function errorOfLine({ calls, ...line }: { readonly calls: string; readonly [key: string]: unknown }) {
  const verdict = grade(`${JSON.stringify({ id: 'q', ...line }).slice(0, -1)}, "calls": ${calls}}`);
  return verdict.valid ? undefined : verdict.error_type;
}

const floats = { type: 'array', items: { type: 'float' } };
const dicts = { type: 'array', items: { type: 'dict' } };

const cases: readonly (readonly [title: string, asked: Asked, error: string | undefined])[] = [
  ['5.0 is not an integer', { type: 'integer', allowed: [5], given: '5.0' }, 'type_error:simple'],
  ['true is not an integer', { type: 'integer', allowed: [1], given: 'true' }, 'type_error:simple'],
  ['5 is a float', { type: 'float', allowed: [5.5, 5], given: '5' }, undefined],
  ['5 in a list is not a float', { type: floats, allowed: [[5.5]], given: '[5]' }, 'type_error:nested'],
  [
    '"" among the answers lets items be',
    { type: floats, allowed: [[5.5], ''], given: '[5]' },
    'value_error:list/tuple',
  ],
  [
    '"" among the answers equals an empty list',
    { type: floats, allowed: [[5.5], ''], given: '[]' },
    undefined,
  ],
  [
    'a tuple is a list where a tuple is meant',
    { type: { ...floats, type: 'tuple' }, allowed: [[1.5]], given: '{"$tuple": [1.5]}' },
    undefined,
  ],
  [
    'a tuple is not a list elsewhere',
    { type: floats, allowed: [[1.5]], given: '{"$tuple": [1.5]}' },
    'type_error:simple',
  ],
  [
    'the type of the first answer stands for a variable',
    { type: 'integer', allowed: ['count'], given: '"count"' },
    undefined,
  ],
  [
    'a variable is compared as it is',
    { type: 'integer', allowed: ['count'], given: '"Count"' },
    'value_error:others',
  ],
  [
    'spaces, signs and case of texts do not count',
    { type: 'string', allowed: ['April 1, 2024'], given: '"april-1_2024"' },
    undefined,
  ],
  ['quotes are one', { type: 'string', allowed: ["it's"], given: '"it\\"s"' }, undefined],
  ['another text', { type: 'string', allowed: ['a'], given: '"b"' }, 'value_error:string'],
  [
    'the order of a list counts',
    { type: floats, allowed: [[1.5, 2.5]], given: '[2.5, 1.5]' },
    'value_error:list/tuple',
  ],
  [
    'a member may be left out in v4',
    { type: 'dict', allowed: [{ x: [1], y: [2, ''] }], given: '{"x": 1.0}' },
    undefined,
  ],
  [
    'and not in 2024-08',
    { version: '2024-08', type: 'dict', allowed: [{ x: [1], y: [2, ''] }], given: '{"x": 1}' },
    'value_error:dict_items',
  ],
  [
    'a member that must be there',
    { type: 'dict', allowed: [{ x: [1], y: [2] }], given: '{"x": 1}' },
    'value_error:dict_key',
  ],
  [
    'dicts hold dicts in 2024-08',
    { version: '2024-08', type: 'dict', allowed: [{ x: { y: [1] } }], given: '{"x": {"y": 2}}' },
    'value_error:dict_value',
  ],
  [
    'lists of dicts are counted',
    { type: dicts, allowed: [[{ x: [1] }]], given: '[{"x": 1}, {"x": 1}]' },
    'value_error:list_dict_count',
  ],
  [
    'lists of dicts are compared in order',
    { type: dicts, allowed: [[{ x: [1] }, { x: [2] }]], given: '[{"x": 2}, {"x": 1}]' },
    'value_error:dict_value',
  ],
];

test('a call is judged by its argument as the official checker does', () => {
  for (const [title, asked, error] of cases) assert.equal(errorOf(asked), error, title);
});

const java = (type: string | object, allowed: readonly unknown[], text: string): string | undefined =>
  errorOf({ category: 'simple_java', type, allowed, given: JSON.stringify(text) });
const javaScript = (type: string | object, allowed: readonly unknown[], text: string): string | undefined =>
  errorOf({ category: 'simple_javascript', type, allowed, given: JSON.stringify(text) });

test('arguments in Java are read in their exact form', () => {
  assert.equal(
    errorOf({ category: 'simple_java', type: 'integer', allowed: [5], given: '5' }),
    'type_error:java',
  );
  assert.equal(java('float', [1.5], '1.5f'), undefined);
  assert.equal(java('float', [1.5], '1.5'), 'type_error:simple');
  assert.equal(java('long', [5], '5L'), undefined);
  assert.equal(java('long', [5], '5'), 'type_error:simple');
  assert.equal(java('char', ["'c'"], "'c'"), undefined);
  assert.equal(java('boolean', [true], 'true'), undefined);
  const texts = (type: string) => ({ type, items: { type: 'String' } });
  assert.equal(java(texts('ArrayList'), [['a', 'b']], 'new ArrayList<>(Arrays.asList("a", "b"))'), undefined);
  assert.equal(java(texts('ArrayList'), [['a']], 'new ArrayList<String>() {{ add("a"); }}'), undefined);
  assert.equal(java(texts('ArrayList'), [[]], 'new ArrayList<String>()'), undefined);
  assert.equal(java({ type: 'Array', items: { type: 'integer' } }, [[1, 2]], 'new int[]{1, 2}'), undefined);
  assert.equal(
    java('HashMap', [{ k: [5], s: ['v'] }], 'new HashMap<>() {{ put("k", 5); put("s", "v"); }}'),
    undefined,
  );
});

test('arguments in JavaScript are read in their exact form', () => {
  assert.equal(
    errorOf({ category: 'simple_javascript', type: 'integer', allowed: [5], given: '5' }),
    'type_error:js',
  );
  assert.equal(javaScript('Bigint', [5], '5n'), undefined);
  assert.equal(javaScript('Bigint', [5], '5'), 'type_error:simple');
  assert.equal(javaScript('String', ['a'], "'a'"), undefined);
  const numbers = { type: 'array', items: { type: 'integer' } };
  assert.equal(javaScript(numbers, [[1, 2]], '[1, 2]'), undefined);
  assert.equal(javaScript(numbers, [[1, 2]], 'new Array(1, 2)'), undefined);
  assert.equal(
    javaScript({ type: 'array', items: { type: 'array' } }, [[[1, 2], [3]]], '[[1, 2], [3]]'),
    undefined,
  );
  assert.equal(javaScript('dict', [{ a: [1], b: [[1, 2]] }], "{a: 1, 'b': [1, 2]}"), undefined);
});

test('a long array that was cut off is read to its end', () => {
  const cut = `[${'[1], '.repeat(50_000)}`;
  assert.equal(javaScript({ type: 'array', items: { type: 'any' } }, [['x']], cut), 'value_error:list/tuple');
});

const pair = [
  functionOf('f', { a: { type: 'integer' } }, ['a']),
  functionOf('g.h', { b: { type: 'integer' } }, []),
];

test('a call is found wanting in the order of the checker', () => {
  const asked = {
    version: 'v4',
    category: 'simple_python',
    function: [pair[0]],
    possible_answer: [{ f: { a: [1], c: [2] } }],
  };
  const error = (calls: string) => errorOfLine({ ...asked, calls });
  assert.equal(error('[]'), 'simple_function_checker:wrong_count');
  assert.equal(error('[{"g": {}}]'), 'simple_function_checker:wrong_func_name');
  assert.equal(error('[{"f": {"z": 1}}]'), 'simple_function_checker:missing_required');
  assert.equal(error('[{"f": {"a": 1, "z": 1}}]'), 'simple_function_checker:unexpected_param');
  assert.equal(error('[{"f": {"a": "1"}}]'), 'type_error:simple');
  assert.equal(error('[{"f": {"a": 2}}]'), 'value_error:others');
  assert.equal(error('[{"name": "f", "arguments": {"a": 1}}]'), 'simple_function_checker:missing_optional');
  assert.equal(error('null'), 'ast_decoder:decoder_failed');
  assert.equal(error('"f(a=1)"'), 'ast_decoder:decoder_wrong_output_format');
  assert.equal(error('[{"f": {}, "g": {}}]'), 'ast_decoder:decoder_wrong_output_format');
});

test('several functions: judged as parallel in 2024-08, as one call in v4', () => {
  const old = {
    version: '2024-08',
    category: 'multiple_function',
    function: pair,
    possible_answer: { f: { a: [1] } },
  };
  assert.equal(
    errorOfLine({ ...old, calls: '[{"f": {"a": 2}}]' }),
    'parallel_function_checker_no_order:cannot_find_match',
  );
  assert.equal(errorOfLine({ ...old, calls: '[]' }), 'parallel_function_checker_no_order:wrong_count');
  const now = {
    version: 'v4',
    category: 'multiple',
    function: pair,
    possible_answer: [{ 'g.h': { b: [1] } }],
  };
  assert.equal(errorOfLine({ ...now, calls: '[{"g.h": {"b": 2}}]' }), 'value_error:others');
  assert.equal(errorOfLine({ ...now, calls: '[]' }), 'multiple_function_checker:wrong_count');
  assert.equal(
    errorOfLine({ ...now, calls: '[{"g_h": {"b": 1}}]' }),
    'simple_function_checker:wrong_func_name',
  );
  assert.equal(errorOfLine({ ...now, calls: '[{"g_h": {"b": 1}}]', underscore_for_dot: true }), undefined);
});

test('parallel calls are taken greedily, in any order; numbered names are found by the part that is theirs', () => {
  const expected = { f_1: { a: [1, 2] }, f_2: { a: [2] } };
  const asked = {
    version: '2024-08',
    category: 'parallel_function',
    function: pair[0],
    possible_answer: expected,
  };
  assert.equal(errorOfLine({ ...asked, calls: '[{"f": {"a": 1}}, {"f": {"a": 2}}]' }), undefined);
  // The first expected call takes 2, and is not asked to give it back.
  assert.equal(
    errorOfLine({ ...asked, calls: '[{"f": {"a": 2}}, {"f": {"a": 1}}]' }),
    'parallel_function_checker_no_order:cannot_find_match',
  );
});

test('relevance: with a call, or without', () => {
  const error = (version: string, category: string, calls: string) =>
    errorOfLine({ version, category, calls });
  for (const calls of ['null', '[]', '[{}]', '"no"']) {
    assert.equal(error('2024-08', 'relevance', calls), undefined);
    assert.equal(error('v4', 'live_irrelevance', calls), undefined);
    assert.equal(error('v4', 'live_relevance', calls), 'relevance_error:decoder_failed');
  }
  const call = '[{"f": {}}]';
  assert.equal(error('2024-08', 'relevance', call), 'relevance_error:decoder_success');
  assert.equal(error('v4', 'irrelevance', call), 'irrelevance_error:decoder_success');
  assert.equal(error('v4', 'live_relevance', call), undefined);
});

test('a checkout is read, and says which models are told of names with _', () => {
  const error = (model: string, name: string) =>
    errorOfLine({ task: 'live_multiple_0-0-0', model, calls: `[{"${name}": {"of": 5}}]` });
  assert.equal(error('plain', 'math.half'), undefined);
  assert.equal(error('plain', 'math_half'), 'simple_function_checker:wrong_func_name');
  assert.equal(error('org_dotless-FC', 'math_half'), undefined);
  assert.equal(error('org/dotless-FC', 'math.half'), 'simple_function_checker:wrong_func_name');
});

test('a line that cannot be graded says which field is wrong', () => {
  const refused = (line: object, message: RegExp) =>
    assert.throws(
      () => grade(JSON.stringify({ id: 'q', calls: [], ...line })),
      (error) => isWhetstoneError(error) && error.code === 'benchmark_line' && message.test(error.message),
    );
  refused({ task: 'live_multiple_1-0-0' }, /“task” .*live_multiple_1-0-0/);
  refused({ task: '../../secret_0' }, /“task”/);
  refused({ task: 5 }, /“task” should be a text, not int 5/);
  refused({ version: 'v3', category: 'simple' }, /“version” .* 2024-08, v4/);
  refused({ version: 'v4', category: 'multi_turn_base' }, /“category” is “multi_turn_base”.*Known: /);
  refused({ version: 'v4', category: 'multiple', function: [] }, /“possible_answer” is missing/);
  refused({ version: 'v4', category: 'multiple', function: 5, possible_answer: [] }, /“function”/);
  refused({ task: 'live_multiple_0-0-0', model: 5 }, /“model”/);
});

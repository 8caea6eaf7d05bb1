import assert from 'node:assert/strict';
import { test } from 'node:test';

import { calculate } from './evaluate.ts';
import { PythonException } from './exception.ts';
import { readJson, writeJson } from './json.ts';
import { readAssignedLists } from './literal.ts';
import { bool, date, dateTime, type Field, float, int, record, text, withDefault } from './model.ts';
import { round } from './number.ts';
import { count, getItem, intOf, isLess, lastOf, lengthOf, negate, operate, sorted } from './operate.ts';
import { repr, reprOfHashable } from './repr.ts';
import { readToml } from './toml.ts';
import { compareText, equal, type PythonValue } from './value.ts';

/** Each as Python 3.11 answers it. */
function answers(
  cases: readonly (readonly [given: string, expected: string])[],
  act: (given: string) => string,
): void {
  for (const [given, expected] of cases) {
    let answer: string;
    try {
      answer = act(given);
    } catch (error) {
      if (!(error instanceof PythonException)) throw error;
      answer = `${error.type}: ${error.message}`;
    }
    assert.equal(answer, expected, given);
  }
}

test('writes numbers as Python does, each in the form in which it was read', () => {
  answers(
    [
      ['5', '5'],
      ['5.0', '5.0'],
      ['1e25', '1e+25'],
      ['0.0000001', '1e-07'],
      ['-0.0', '-0.0'],
      ['1e16', '1e+16'],
      ['123456789012345.0', '123456789012345.0'],
      ['0.0001', '0.0001'],
      ['123456789012345678901234567890', '123456789012345678901234567890'],
      ['[true, null]', '[True, None]'],
    ],
    (text) => repr(readJson(text)),
  );
});

test('writes text as Python’s repr does', () => {
  answers(
    [
      ['plain', "'plain'"],
      ["it's", `"it's"`],
      [`it's "so"`, `'it\\'s "so"'`],
      ['é日😀', "'é日😀'"],
      ['\n\u007f\u00a0\u2028\u{e0001}', String.raw`'\n\x7f\xa0\u2028\U000e0001'`],
      ['\u{1fae8}', String.raw`'\U0001fae8'`],
      ['\ud800', String.raw`'\ud800'`],
    ],
    repr,
  );
});

test('makes tuples of what is hashed, sorted by code point', () => {
  const value = readJson('{"b": [1], "a": {}, "\u{1f600}": [], "\uffff": [1, 2]}');
  assert.equal(
    reprOfHashable(value),
    String.raw`(('a', ()), ('b', (1,)), ('\uffff', (1, 2)), ('${'\u{1f600}'}', ()))`,
  );
  assert.ok(compareText('\uffff', '\u{1f600}') < 0);
});

test('keeps the order of keys that look like numbers, and escapes all but ASCII in JSON', () => {
  const text = String.raw`{"9690244451": 1, "1656367028": "\u00e9\ud83d\ude00\u007f", "5": [2.50, -0]}`;
  assert.equal(
    writeJson(readJson(text)),
    String.raw`{"9690244451": 1, "1656367028": "\u00e9\ud83d\ude00\u007f", "5": [2.5, 0]}`,
  );
});

test('refuses what is not JSON, with the place', () => {
  for (const text of ['', '{', '{"a" 1}', '[1,]', '"a', '01', '{"a": 1} x', 'tru']) {
    assert.throws(() => readJson(text), { code: 'json_syntax' }, text);
  }
  assert.throws(() => readJson('['.repeat(5000)), { code: 'json_syntax' });
});

test('says what Python says of operands that do not fit', () => {
  const cases: readonly (readonly [() => PythonValue, string])[] = [
    [() => operate('+=', 0n, 'a'), "unsupported operand type(s) for +=: 'int' and 'str'"],
    [() => operate('+', 'a', 1n), 'can only concatenate str (not "int") to str'],
    [() => operate('*', [], 1.5), "can't multiply sequence by non-int of type 'float'"],
    [() => operate('*', 50n, null), "unsupported operand type(s) for *: 'int' and 'NoneType'"],
    [() => negate('a'), "bad operand type for unary -: 'str'"],
    [() => isLess('a', 1n), "'<' not supported between instances of 'str' and 'int'"],
    [() => sorted([1n, 'a']), "'<' not supported between instances of 'str' and 'int'"],
    [() => getItem(new Map(), 'date'), "'date'"],
    [() => getItem(new Map(), []), "unhashable type: 'list'"],
    [() => getItem('text', 'a'), "string indices must be integers, not 'str'"],
    [() => getItem([], 'a'), 'list indices must be integers or slices, not str'],
    [() => getItem([], 0n), 'list index out of range'],
    [() => getItem(null, 'a'), "'NoneType' object is not subscriptable"],
    [() => lengthOf(5n), "object of type 'int' has no len()"],
    [() => count(new Map(), 'a'), "'dict' object has no attribute 'count'"],
    [() => intOf('x1'), "invalid literal for int() with base 10: 'x1'"],
    [() => lastOf(new Map(), 2), "unhashable type: 'slice'"],
  ];
  for (const [act, message] of cases) assert.throws(act, { message }, message);
});

test('compares numbers by value whatever their type, and repeats what is multiplied', () => {
  assert.ok(equal(1n, 1) && equal(true, 1n) && !equal('1', 1n) && !equal(2n ** 53n + 1n, 2 ** 53));
  assert.ok(equal(readJson('{"a": 1, "b": [2]}'), readJson('{"b": [2.0], "a": true}')));
  assert.equal(operate('*', 3n, 'ab'), 'ababab');
  assert.equal(operate('*', true, 50n), 50n);
});

test('rounds half to even on the binary value', () => {
  for (const [given, expected] of [
    [2.675, 2.67],
    [0.125, 0.12],
    [0.375, 0.38],
    [-0.125, -0.12],
    [1e22, 1e22],
  ] as const) {
    assert.equal(round(given, 2), expected);
  }
  assert.ok(Object.is(round(-0.001, 2), -0));
});

test('calculates as Python evaluates, and errs in its words', () => {
  answers(
    [
      ['2 ** 3 ** 2', '512.0'],
      ['-7 // 2', '-4.0'],
      ['2.675', '2.67'],
      ['0.125', '0.12'],
      ['100000000000000000000000.0', '1e+23'],
      ['0//-7.5', '-0.0'],
      ['1/0', 'ZeroDivisionError: division by zero'],
      ['1.0/0', 'ZeroDivisionError: float division by zero'],
      ['1//0', 'ZeroDivisionError: integer division or modulo by zero'],
      ['0 ** -1', 'ZeroDivisionError: 0.0 cannot be raised to a negative power'],
      ['10 ** 400', 'OverflowError: int too large to convert to float'],
      ['2.0 ** 5000', "OverflowError: (34, 'Numerical result out of range')"],
      ['(-8) ** .5', "TypeError: float() argument must be a string or a real number, not 'complex'"],
      ['(1 + 2', "SyntaxError: '(' was never closed (<string>, line 1)"],
      ['1 + 2)', "SyntaxError: unmatched ')' (<string>, line 1)"],
      ['1 +', 'SyntaxError: invalid syntax (<string>, line 1)'],
      ['', 'SyntaxError: invalid syntax (<string>, line 0)'],
      ['(1 2)', 'SyntaxError: invalid syntax. Perhaps you forgot a comma? (<string>, line 1)'],
      ['(*1)', 'SyntaxError: cannot use starred expression here (<string>, line 1)'],
      [
        '012',
        'SyntaxError: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)',
      ],
      ['2(3)', "TypeError: 'int' object is not callable"],
      ['2(*3)', 'TypeError: 2 argument after * must be an iterable, not int'],
      ['() + 1', 'TypeError: can only concatenate tuple (not "int") to tuple'],
    ],
    calculate,
  );
});

test('reads the lists of a Python source that hold only literals', () => {
  const source = `
# The tasks.
TASKS: List[Task] = [
    Task(
        user_id="a_1",  # a comment
        instruction=("one "
                     'two\\n' """three"""),
        actions=[Action(name="book", kwargs={"1656367028": 5.0, "b": [None, True, -2, (1,), ("x")]}),],
        outputs=[r"\\d", "\\u00e9"],
    ),
]
`;
  const [task] = readAssignedLists(source).get('TASKS')!;
  assert.equal(
    writeJson(task!),
    String.raw`{"user_id": "a_1", "instruction": "one two\nthree", "actions": [{"name": "book", "kwargs": ` +
      String.raw`{"1656367028": 5.0, "b": [null, true, -2, [1], "x"]}}], "outputs": ["\\d", "\u00e9"]}`,
  );
  assert.throws(() => readAssignedLists('TASKS = [open("x")]'), { code: 'benchmark_data' });
});

test('converts what is put into a record as pydantic does', () => {
  const converted = (field: Field, values: readonly string[]): string[] =>
    values.map((value) => {
      try {
        return repr(field.convert(readJson(value)));
      } catch (error) {
        if (!(error instanceof PythonException)) throw error;
        return 'refused';
      }
    });
  assert.deepEqual(
    converted(int, ['5.0', '"5"', '" +5.0 "', 'true', '5.5', '"5."', '"1_0"', 'null', '1e20']),
    [...['5', '5', '5', '1', 'refused', 'refused', '10', 'refused', 'refused']],
  );
  assert.deepEqual(converted(float, ['5', '"5"', '"1e3"', 'true', '"inf"', '"a"', '[]']), [
    ...['5.0', '5.0', '1000.0', '1.0', 'inf', 'refused', 'refused'],
  ]);
  assert.deepEqual(converted(bool, ['1', '0.0', '"YES"', '"off"', '2', '"2"']), [
    ...['True', 'False', 'True', 'False', 'refused', 'refused'],
  ]);
  assert.deepEqual(converted(text, ['"a"', '5', 'null']), ["'a'", 'refused', 'refused']);
  assert.deepEqual(
    converted(date, ['"2025-01-01"', '"2025-01-01T00:00:00"', '"2025-02-30"', '"2025-01-01T10:00"']),
    [...["'2025-01-01'", "'2025-01-01'", 'refused', 'refused']],
  );
  assert.deepEqual(
    converted(dateTime, ['"2025-01-01"', '"2025-01-01T10:00:00"', '"2025-01-01T10:00:00.5Z"']),
    [...["'2025-01-01 00:00:00'", "'2025-01-01 10:00:00'", "'2025-01-01 10:00:00.500000+00:00'"]],
  );
  const point = record({ x: int, y: withDefault(float, 0) }, { closed: true });
  assert.deepEqual(converted(point, ['{"x": 1.0}', '{"y": 1}', '{"x": 1, "z": 2}']), [
    ...["{'x': 1, 'y': 0.0}", 'refused', 'refused'],
  ]);
});

test('reads the TOML that databases are written in', () => {
  const source = `
# A carrier.
[[plans]]
plan_id = "P1" # the first
price = 40.0
limits = [1,
  2_000, # a list may go on
]
[[plans]]
plan_id = 'P2'
[plans.address]
zip = "#1"
[device."a b"]
on = true
since = 2025-01-01
`;
  assert.equal(
    writeJson(readToml(source)),
    '{"plans": [{"plan_id": "P1", "price": 40.0, "limits": [1, 2000]}, {"plan_id": "P2", "address": {"zip": "#1"}}], ' +
      '"device": {"a b": {"on": true, "since": "2025-01-01"}}}',
  );
  assert.throws(() => readToml('a = {b'), { code: 'benchmark_data', message: /Line 1/ });
});

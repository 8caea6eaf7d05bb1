import type { JsonValue } from '../src/base/json/value.ts';

/** What models really write where JSON was asked for, by kind of fault, with what a person reads in it. */
export interface RepairCase {
  readonly fault: string;
  readonly text: string;
  readonly value: JsonValue;
}

const call = { name: 'search', arguments: { query: 'red shoes', limit: 5 } };

export const repairCorpus: readonly RepairCase[] = [
  { fault: 'fence', text: '```json\n{"city": "Oslo", "days": 3}\n```', value: { city: 'Oslo', days: 3 } },
  { fault: 'fence', text: '```\n[1, 2, 3]\n```\n', value: [1, 2, 3] },
  {
    fault: 'fence',
    text: 'Here is the call:\n\n```json\n{"a": "```js\\ncode\\n```"}\n```\nHope this helps!',
    value: { a: '```js\ncode\n```' },
  },
  { fault: 'fence', text: '```json\n{"open": [1, 2', value: { open: [1, 2] } },
  { fault: 'fence', text: '~~~json\n{"a": 1,}\n~~~', value: { a: 1 } },
  {
    fault: 'fence',
    text: 'First:\n```python\nprint("hi")\n```\nthen:\n```json\n{"a": 1}\n```',
    value: { a: 1 },
  },
  {
    fault: 'prose',
    text: 'Sure! Here is the JSON you asked for: {"name": "search", "arguments": {"query": "red shoes", "limit": 5}}',
    value: call,
  },
  {
    fault: 'prose',
    text: '{"name": "search", "arguments": {"query": "red shoes", "limit": 5}}\n\nLet me know if you need anything else.',
    value: call,
  },
  {
    fault: 'prose',
    text: '<tool_call>\n{"name": "search", "arguments": {"query": "red shoes", "limit": 5}}\n</tool_call>',
    value: call,
  },
  {
    fault: 'prose',
    text: 'As said in [1], the answer for {name} is {"score": 0.5, "reason": "see [2]"}.',
    value: { score: 0.5, reason: 'see [2]' },
  },
  { fault: 'prose', text: 'const result = {"ok": true};', value: { ok: true } },
  { fault: 'prose', text: 'callback({"ok": true});', value: { ok: true } },
  {
    fault: 'prose',
    text: '<think>Should I use {"a": 1}? No: the larger.</think>{"a": 1, "b": [true, false]}',
    value: { a: 1, b: [true, false] },
  },
  { fault: 'prose', text: 'json\n{"a": 1}', value: { a: 1 } },
  { fault: 'leading comma', text: '{, "a": 1}', value: { a: 1 } },
  { fault: 'trailing comma', text: '{"a": [1, 2, ], "b": {"c": 3,},}', value: { a: [1, 2], b: { c: 3 } } },
  { fault: 'trailing comma', text: '[\n  "x",\n  "y",\n]', value: ['x', 'y'] },
  { fault: 'trailing comma', text: '{"a": 1,, "b": 2}', value: { a: 1, b: 2 } },
  { fault: 'missing comma', text: '{"a": 1 "b": 2}', value: { a: 1, b: 2 } },
  { fault: 'missing comma', text: '{\n  "a": "x"\n  "b": "y"\n}', value: { a: 'x', b: 'y' } },
  { fault: 'missing comma', text: '["a" "b" "c"]', value: ['a', 'b', 'c'] },
  { fault: 'missing comma', text: '[{"a": 1} {"a": 2}]', value: [{ a: 1 }, { a: 2 }] },
  { fault: 'single quotes', text: "{'city': 'Oslo', 'days': 3}", value: { city: 'Oslo', days: 3 } },
  { fault: 'single quotes', text: "{'text': 'it\\'s fine'}", value: { text: "it's fine" } },
  { fault: 'single quotes', text: "{'text': 'it's fine', 'n': 1}", value: { text: "it's fine", n: 1 } },
  {
    fault: 'single quotes',
    text: `{'text': "it's fine", "b": 'say "hi"'}`,
    value: { text: "it's fine", b: 'say "hi"' },
  },
  { fault: 'curly quotes', text: '{“city”: “Oslo”}', value: { city: 'Oslo' } },
  { fault: 'curly quotes', text: '{"say": “he said "yes"”}', value: { say: 'he said "yes"' } },
  { fault: 'backticks', text: '{"code": `let a = "b";`}', value: { code: 'let a = "b";' } },
  { fault: 'unquoted keys', text: '{city: "Oslo", days: 3}', value: { city: 'Oslo', days: 3 } },
  { fault: 'unquoted keys', text: '{$id: 1, some-key: 2, 3: 4}', value: { $id: 1, 'some-key': 2, '3': 4 } },
  {
    fault: 'unquoted values',
    text: '{"city": Oslo, "state": New York, "n": 1}',
    value: { city: 'Oslo', state: 'New York', n: 1 },
  },
  {
    fault: 'unquoted values',
    text: '{"url": https://example.com/a?b=1, "n": 1}',
    value: { url: 'https://example.com/a?b=1', n: 1 },
  },
  {
    fault: 'comments',
    text: '{\n  // the city\n  "city": "Oslo", /* capital */\n  "days": 3 # short\n}',
    value: { city: 'Oslo', days: 3 },
  },
  {
    fault: 'comments',
    text: '{"url": "http://x.y/#z", "n": 1} // done',
    value: { url: 'http://x.y/#z', n: 1 },
  },
  {
    fault: 'Python literals',
    text: "{'ok': True, 'bad': False, 'none': None}",
    value: { ok: true, bad: false, none: null },
  },
  {
    fault: 'Python literals',
    text: "{'point': (1, 2), 'name': u'Zoë'}",
    value: { point: [1, 2], name: 'Zoë' },
  },
  {
    fault: 'Python literals',
    text: '{"text": """two\nlines""", "n": 1}',
    value: { text: 'two\nlines', n: 1 },
  },
  { fault: 'JavaScript literals', text: '{"a": undefined, "b": NaN}', value: { a: null, b: null } },
  {
    fault: 'double-encoded',
    text: '"{\\"city\\": \\"Oslo\\", \\"days\\": 3}"',
    value: { city: 'Oslo', days: 3 },
  },
  { fault: 'double-encoded', text: '"\\"{\\\\\\"a\\\\\\":1}\\""', value: { a: 1 } },
  {
    fault: 'double-encoded',
    text: '{\\"city\\": \\"Oslo\\", \\"say\\": \\"a \\\\\\"b\\\\\\"\\"}',
    value: { city: 'Oslo', say: 'a "b"' },
  },
  { fault: 'double-encoded', text: "\"{'city': 'Oslo'}\"", value: { city: 'Oslo' } },
  { fault: 'double-encoded', text: '{""city"": ""Oslo"", ""days"": 3}', value: { city: 'Oslo', days: 3 } },
  {
    fault: 'double-encoded',
    text: '{&quot;city&quot;: &quot;Oslo &amp; Bergen&quot;}',
    value: { city: 'Oslo & Bergen' },
  },
  { fault: 'missing closers', text: '{"a": {"b": [1, 2, {"c": "d"', value: { a: { b: [1, 2, { c: 'd' }] } } },
  { fault: 'missing closers', text: '{"a": [1, 2, 3}', value: { a: [1, 2, 3] } },
  { fault: 'missing closers', text: '{"a": {"b": 1, "c": [2]', value: { a: { b: 1, c: [2] } } },
  { fault: 'missing closers', text: '{"a": 1, "b": tru', value: { a: 1, b: true } },
  { fault: 'missing closers', text: '{"text": "cut in the mid', value: { text: 'cut in the mid' } },
  { fault: 'missing closers', text: '{"a": 1, "unfinished', value: { a: 1 } },
  { fault: 'missing closers', text: '{"a": 1, "b":', value: { a: 1 } },
  { fault: 'missing closers', text: '{"a": "x\\', value: { a: 'x' } },
  { fault: 'extra closers', text: '{"a": 1}}', value: { a: 1 } },
  { fault: 'extra closers', text: '{"a": [1, 2]], "b": 3}', value: { a: [1, 2], b: 3 } },
  { fault: 'inner quotes', text: '{"a"": 1, "b": 2}', value: { a: 1, b: 2 } },
  {
    fault: 'inner quotes',
    text: '{"text": "he said "hello" to me", "n": 1}',
    value: { text: 'he said "hello" to me', n: 1 },
  },
  {
    fault: 'inner quotes',
    text: '{"html": "<a href="x.html">x</a>"}',
    value: { html: '<a href="x.html">x</a>' },
  },
  {
    fault: 'inner quotes',
    text: '{"text": "the "first", then the rest", "n": 1}',
    value: { text: 'the "first", then the rest', n: 1 },
  },
  { fault: 'inner quotes', text: '["a "b" c", "d"]', value: ['a "b" c', 'd'] },
  { fault: 'missing quotes', text: '{\n  "a": "x,\n  "b": "y"\n}', value: { a: 'x', b: 'y' } },
  { fault: 'missing quotes', text: '{"a": x", "b": 1}', value: { a: 'x', b: 1 } },
  {
    fault: 'control characters',
    text: '{"code": "line one\nline two\tend"}',
    value: { code: 'line one\nline two\tend' },
  },
  {
    fault: 'control characters',
    text: '{"code": "function f() {\n  return {};\n}\n", "n": 1}',
    value: { code: 'function f() {\n  return {};\n}\n', n: 1 },
  },
  { fault: 'escapes', text: '{"path": "C:\\Program Files\\dir"}', value: { path: 'C:\\Program Files\\dir' } },
  {
    fault: 'escapes',
    text: '{"path": "C:\\Users\\new\\table.txt", "n": 1}',
    value: { path: 'C:\\Users\\new\\table.txt', n: 1 },
  },
  { fault: 'escapes', text: '{"regex": "\\d+\\.\\w*"}', value: { regex: '\\d+\\.\\w*' } },
  { fault: 'escapes', text: '{"a": "\\x41\\u0042"}', value: { a: 'AB' } },
  {
    fault: 'numbers',
    text: '{"a": +1, "b": .5, "c": 2., "d": 0x1F, "e": 1_000}',
    value: { a: 1, b: 0.5, c: 2, d: 31, e: 1000 },
  },
  { fault: 'numbers', text: '{"zip": 00501, "n": 5}', value: { zip: '00501', n: 5 } },
  { fault: 'ellipsis', text: '[1, 2, 3, ...]', value: [1, 2, 3] },
  { fault: 'ellipsis', text: '{"a": 1, ...}', value: { a: 1 } },
  { fault: 'concatenation', text: '{"text": "one " +\n "two"}', value: { text: 'one two' } },
  { fault: 'colons', text: '{"a" = 1, "b" => 2, "c" 3}', value: { a: 1, b: 2, c: 3 } },
  { fault: 'missing values', text: '{"a": , "b": 2}', value: { a: null, b: 2 } },
  { fault: 'several values', text: '{"a": 1}{"a": 1}', value: { a: 1 } },
  { fault: 'several values', text: '{"a": 1}\n{"a": 2}\n', value: [{ a: 1 }, { a: 2 }] },
  { fault: 'odd spaces', text: '\ufeff{\u00a0"a":\u00a01}', value: { a: 1 } },
  {
    fault: '__proto__',
    text: "{'__proto__': {x: 1}}",
    value: JSON.parse('{"__proto__":{"x":1}}') as JsonValue,
  },
];

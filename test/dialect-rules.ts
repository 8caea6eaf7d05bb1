/**
 * What each provider takes as the schema of a tool, written from their rules and from nothing in `src/`: the
 * judge of every lowered schema in the tests. It answers with the faults it finds.
 */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Schema = { [key: string]: Json };

export function faultsOf(dialect: string, schema: unknown): readonly string[] {
  const rules = rulesOf[dialect];
  if (!rules) throw new Error(`no rules for ${dialect}`);
  const faults: string[] = [];
  rules(schema as Schema, (fault, at = '') => faults.push(at === '' ? fault : `${at}: ${fault}`));
  return faults;
}

type Tell = (fault: string, at?: string) => void;

const rulesOf: { readonly [dialect: string]: (schema: Schema, tell: Tell) => void } = {
  'openai-strict': openaiStrict,
  'anthropic-strict': anthropicStrict,
  'gemini-parameters': geminiParameters,
  'gemini-json-schema': geminiJsonSchema,
  openai: (schema, tell) => plainRoot(schema, tell, ['anyOf', 'oneOf', 'allOf', 'enum', 'not']),
  anthropic: (schema, tell) => {
    plainRoot(schema, tell, ['anyOf', 'oneOf', 'allOf']);
    rootNames(schema, tell);
  },
  bedrock: (schema, tell) => plainRoot(schema, tell, []),
  mistral: (schema, tell) => plainRoot(schema, tell, ['anyOf', 'oneOf', 'allOf', 'enum', 'not']),
  cohere: (schema, tell) => {
    plainRoot(schema, tell, ['anyOf', 'oneOf', 'allOf']);
    every(schema, '', (node, at) =>
      only(node, at, tell, [...basic, 'additionalProperties', '$ref', '$defs', 'anyOf']),
    );
  },
  ollama: (schema, tell) => {
    plainRoot(schema, tell, ['anyOf', 'oneOf', 'allOf']);
    every(schema, '', (node, at) =>
      only(node, at, tell, [...basic, 'additionalProperties', '$ref', '$defs', 'anyOf']),
    );
  },
  'as-is': () => {},
};

const basic = [
  'type',
  'title',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'minItems',
  'maxItems',
];

function plainRoot(schema: Schema, tell: Tell, refused: readonly string[]): void {
  if (typeof schema !== 'object' || schema === null) return tell('the root is not an object');
  if (schema['type'] !== 'object') tell('the root is not of type object');
  for (const keyword of refused) if (keyword in schema) tell(`${keyword} at the root`);
  if (String(schema['$schema'] ?? '').includes('draft-07')) tell('draft 7');
  references(schema, tell);
}

function rootNames(schema: Schema, tell: Tell): void {
  for (const name of Object.keys((schema['properties'] ?? {}) as Schema))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) tell(`the name ${JSON.stringify(name)} at the root`);
}

function openaiStrict(schema: Schema, tell: Tell): void {
  plainRoot(schema, tell, ['anyOf', 'enum', 'not', '$ref']);
  let properties = 0;
  let enumValues = 0;
  let characters = 0;
  const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
  every(schema, '', (node, at) => {
    only(node, at, tell, [
      ...[
        'type',
        'properties',
        'required',
        'additionalProperties',
        'items',
        'enum',
        'const',
        'anyOf',
        '$ref',
        '$defs',
      ],
      ...['pattern', 'format', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
      ...['minItems', 'maxItems', 'title', 'description', 'default', 'examples', '$comment'],
    ]);
    if (
      node['type'] === undefined &&
      !('anyOf' in node) &&
      !('$ref' in node) &&
      !('enum' in node) &&
      !('const' in node)
    )
      tell('nothing is said of the type', at);
    if (node['format'] !== undefined && !formats.includes(String(node['format'])))
      tell(`format ${String(node['format'])}`, at);
    if ('$ref' in node && Object.keys(node).length > 1) tell('keywords beside $ref', at);
    if (isType(node, 'array') && !('items' in node)) tell('a list without items', at);
    const names = closed(node, at, tell);
    const required = new Set((node['required'] ?? []) as string[]);
    for (const name of names) if (!required.has(name)) tell(`"${name}" is not required`, at);
    properties += names.length;
    for (const name of names) characters += name.length;
    for (const name of Object.keys((node['$defs'] ?? {}) as Schema)) characters += name.length;
    const values = (node['enum'] ?? ('const' in node ? [node['const']] : [])) as Json[];
    enumValues += values.length;
    const length = values.reduce<number>((sum, value) => sum + String(value).length, 0);
    characters += length;
    if (values.length > 250 && length > 15_000) tell('an enum of more than 250 values is too long', at);
  });
  if (properties > 5000) tell(`${properties} properties`);
  if (enumValues > 1000) tell(`${enumValues} enum values`);
  if (characters > 120_000) tell(`${characters} characters`);
  if (nesting(schema) > 10) tell(`nested ${nesting(schema)} levels deep`);
}

function anthropicStrict(schema: Schema, tell: Tell): void {
  plainRoot(schema, tell, ['anyOf', 'oneOf', 'allOf']);
  rootNames(schema, tell);
  let optional = 0;
  let unions = 0;
  const formats = [
    'date-time',
    'time',
    'date',
    'duration',
    'email',
    'hostname',
    'uri',
    'ipv4',
    'ipv6',
    'uuid',
  ];
  every(schema, '', (node, at) => {
    only(node, at, tell, [
      ...[
        'type',
        'properties',
        'required',
        'additionalProperties',
        'items',
        'enum',
        'const',
        'anyOf',
        'allOf',
      ],
      ...['$ref', '$defs', 'description', 'title', 'format', 'pattern', 'minItems'],
    ]);
    if (node['format'] !== undefined && !formats.includes(String(node['format'])))
      tell(`format ${String(node['format'])}`, at);
    if (Number(node['minItems'] ?? 0) > 1) tell('minItems above 1', at);
    const pattern = String(node['pattern'] ?? '');
    if (/\(\?[=!<]|\\[1-9bBk]/.test(pattern)) tell(`the pattern ${pattern}`, at);
    for (const value of (node['enum'] ?? []) as Json[])
      if (typeof value === 'object' && value !== null) tell('an enum of objects', at);
    const required = new Set((node['required'] ?? []) as string[]);
    for (const name of closed(node, at, tell)) if (!required.has(name)) optional++;
    if ('anyOf' in node || Array.isArray(node['type'])) unions++;
  });
  if (optional > 24) tell(`${optional} optional members`);
  if (unions > 16) tell(`${unions} unions`);
  if (cycles(schema, () => true)) tell('a cycle of references');
}

function geminiParameters(schema: Schema, tell: Tell): void {
  if (schema['type'] !== 'object') tell('the root is not of type object');
  const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
  every(schema, '', (node, at) => {
    only(node, at, tell, [
      ...[
        'type',
        'format',
        'title',
        'description',
        'nullable',
        'enum',
        'items',
        'minItems',
        'maxItems',
        'minLength',
      ],
      ...[
        'maxLength',
        'minProperties',
        'maxProperties',
        'minimum',
        'maximum',
        'pattern',
        'properties',
        'required',
      ],
      ...['propertyOrdering', 'anyOf', 'default', 'example'],
    ]);
    if ('anyOf' in node && Object.keys(node).length > 1) tell('fields beside anyOf', at);
    if (!('anyOf' in node) && !types.includes(String(node['type'])))
      tell(`type ${JSON.stringify(node['type'])}`, at);
    if (isType(node, 'array') && !('items' in node)) tell('a list without items', at);
    for (const value of (node['enum'] ?? []) as Json[])
      if (typeof value !== 'string' || value === '') tell('an enum value that is not text', at);
    for (const keyword of [
      'minItems',
      'maxItems',
      'minLength',
      'maxLength',
      'minProperties',
      'maxProperties',
    ])
      if (keyword in node && typeof node[keyword] !== 'string') tell(`${keyword} is not written as text`, at);
    geminiNames(node, at, tell);
  });
}

function geminiJsonSchema(schema: Schema, tell: Tell): void {
  if (schema['type'] !== 'object') tell('the root is not of type object');
  every(schema, '', (node, at) => {
    only(node, at, tell, [
      ...[
        '$id',
        '$defs',
        '$ref',
        '$anchor',
        'type',
        'format',
        'title',
        'description',
        'enum',
        'items',
        'prefixItems',
      ],
      ...[
        'minItems',
        'maxItems',
        'minimum',
        'maximum',
        'anyOf',
        'oneOf',
        'properties',
        'additionalProperties',
      ],
      ...['required', 'propertyOrdering'],
    ]);
    if ('$ref' in node && !Object.keys(node).every((key) => key.startsWith('$')))
      tell('keywords beside $ref', at);
    for (const value of (node['enum'] ?? []) as Json[])
      if (typeof value !== 'string' && typeof value !== 'number')
        tell('an enum value that is neither text nor number', at);
    geminiNames(node, at, tell);
  });
  references(schema, tell);
  if (cycles(schema, (required) => required)) tell('a cycle of references that passes no optional member');
}

function geminiNames(node: Schema, at: string, tell: Tell): void {
  const names = Object.keys((node['properties'] ?? {}) as Schema);
  for (const name of names)
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) tell(`the name ${JSON.stringify(name)}`, at);
  for (const name of (node['required'] ?? []) as string[])
    if (!names.includes(name)) tell(`"${name}" is required and not there`, at);
}

function only(node: Schema, at: string, tell: Tell, keywords: readonly string[]): void {
  for (const key of Object.keys(node)) if (!keywords.includes(key)) tell(`the keyword ${key}`, at);
}

/** The names of an object's members, after seeing that it is closed. */
function closed(node: Schema, at: string, tell: Tell): readonly string[] {
  if (!isType(node, 'object') && !('properties' in node)) return [];
  if (node['additionalProperties'] !== false) tell('an object that is not closed', at);
  const names = Object.keys((node['properties'] ?? {}) as Schema);
  for (const name of (node['required'] ?? []) as string[])
    if (!names.includes(name)) tell(`"${name}" is required and not there`, at);
  return names;
}

function isType(node: Schema, type: string): boolean {
  return node['type'] === type || (Array.isArray(node['type']) && node['type'].includes(type));
}

/** Every schema inside a schema, itself first. */
function every(schema: Json, at: string, see: (node: Schema, at: string) => void): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  see(schema, at);
  for (const [pointer, child] of children(schema)) every(child, at + pointer, see);
}

function children(node: Schema): [string, Json][] {
  const found: [string, Json][] = [];
  for (const key of [
    'items',
    'additionalProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
  ])
    if (typeof node[key] === 'object' && !Array.isArray(node[key]))
      found.push([`/${key}`, node[key] as Json]);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'])
    if (Array.isArray(node[key]))
      node[key].forEach((child, index) => found.push([`/${key}/${index}`, child]));
  for (const key of ['properties', '$defs', 'patternProperties', 'dependentSchemas'])
    for (const [name, child] of Object.entries((node[key] ?? {}) as Schema))
      found.push([`/${key}/${name}`, child]);
  return found;
}

function references(schema: Schema, tell: Tell): void {
  every(schema, '', (node, at) => {
    const to = node['$ref'];
    if (typeof to !== 'string' || !/^#(\/|$)/.test(to)) return;
    if (follow(schema, to) === undefined) tell(`nothing is at ${to}`, at);
  });
}

function follow(schema: Schema, pointer: string): Json | undefined {
  let at: Json | undefined = schema;
  for (const key of pointer.split('/').slice(1)) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
    at = (at as Schema | undefined)?.[name];
  }
  return at;
}

/** True where a reference leads back to where it stands, by members of which `counts` is true. */
function cycles(schema: Schema, counts: (required: boolean) => boolean): boolean {
  const steps = (node: Json, inside: boolean): string[] => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return [];
    if (typeof node['$ref'] === 'string') return inside ? [node['$ref']] : [];
    const required = new Set((node['required'] ?? []) as string[]);
    return children(node).flatMap(([pointer, child]) => {
      if (pointer.startsWith('/$defs/')) return [];
      const name = pointer.startsWith('/properties/') ? pointer.slice('/properties/'.length) : undefined;
      return steps(child, inside && (name === undefined || counts(required.has(name))));
    });
  };
  const from = new Map<string, string[]>([['#', steps(schema, true)]]);
  for (const [name, child] of Object.entries((schema['$defs'] ?? {}) as Schema))
    from.set(`#/$defs/${name}`, steps(child, true));
  return [...from.keys()].some((start) => {
    const seen = new Set<string>();
    const queue = [...(from.get(start) ?? [])];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      if (at === start) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      queue.push(...(from.get(at) ?? []));
    }
    return false;
  });
}

function nesting(schema: Json): number {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 0;
  const deepest = Math.max(0, ...children(schema).map(([, child]) => nesting(child)));
  return deepest + (isType(schema, 'object') ? 1 : 0);
}

/** A wire schema as plain JSON Schema, so that values can be checked against it. */
export function asJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' || key === 'required') result[key] = value;
    else if (key === 'properties' || key === '$defs') result[key] = eachValue(value as Schema);
    else if (/^(min|max)(Items|Length|Properties)$/.test(key)) result[key] = Number(value);
    else if (key !== 'nullable' && !(key === 'format' && value === 'enum')) result[key] = asJsonSchema(value);
  }
  if ((schema as Schema)['nullable'] === true) {
    result['type'] = [result['type'], 'null'];
    if (Array.isArray(result['enum'])) result['enum'] = [...(result['enum'] as Json[]), null];
  }
  return result;
}

function eachValue(schemas: Schema): unknown {
  return Object.fromEntries(Object.entries(schemas).map(([name, child]) => [name, asJsonSchema(child)]));
}

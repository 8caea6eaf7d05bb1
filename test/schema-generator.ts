import type { Random } from '../src/base/host/random.ts';
import type { JsonObject, JsonValue } from '../src/base/json/value.ts';

/** A schema with a maker of values that fit it. */
export interface Generated {
  readonly schema: JsonObject | boolean;
  readonly value: (depth: number) => JsonValue;
}

/**
 * Makes schemas of tools and values for them. What is hard to lower comes often: recursion, optional members that
 * may be null, records, tuples, unions at the root and unions of things that look alike.
 */
export class SchemaGenerator {
  readonly #random: Random;
  #definitions: Map<string, Generated> = new Map();
  #draft7 = false;
  /** Definitions that are being made: pointing to one of them would have no end. */
  readonly #open = new Set<string>();

  constructor(random: Random) {
    this.#random = random;
  }

  root(): Generated {
    this.#definitions = new Map();
    this.#draft7 = this.#chance(0.25);
    const body = this.#pick<() => Generated>([
      ...Array<() => Generated>(5).fill(() => this.#object(3)),
      () => this.#union(3),
      () => this.#all(2),
      () => this.#record(2),
      () => this.#node(3),
      () => this.#conditional(),
    ])();
    if (typeof body.schema === 'boolean') return body;
    const definitions: Record<string, JsonObject | boolean> = {};
    for (const [name, { schema }] of this.#definitions) definitions[name] = schema;
    const key = this.#draft7 ? 'definitions' : '$defs';
    const head: JsonObject = this.#draft7 ? { $schema: 'http://json-schema.org/draft-07/schema#' } : {};
    const schema = { ...head, ...body.schema, ...(this.#definitions.size > 0 ? { [key]: definitions } : {}) };
    return { schema, value: body.value };
  }

  #node(depth: number): Generated {
    if (depth <= 0) return this.#leaf();
    return this.#pick<() => Generated>([
      () => this.#leaf(),
      () => this.#leaf(),
      () => this.#object(depth - 1),
      () => this.#object(depth - 1),
      () => this.#list(depth - 1),
      () => this.#tuple(depth - 1),
      () => this.#tuple(depth - 1),
      () => this.#record(depth - 1),
      () => this.#record(depth - 1),
      () => this.#union(depth - 1),
      () => this.#union(depth - 1),
      () => this.#nullable(depth - 1),
      () => this.#reference(depth - 1),
      () => this.#recursive(),
      () => this.#all(depth - 1),
      () => this.#mixed(depth - 1),
    ])();
  }

  #leaf(): Generated {
    return this.#pick<() => Generated>([
      () => this.#text(),
      () => this.#text(),
      () => this.#number(),
      () => ({ schema: { type: 'boolean' }, value: () => this.#chance(0.5) }),
      () => this.#enum(),
      () => this.#const(),
      () => ({
        schema: { type: ['string', 'integer', 'null'] },
        value: () => this.#pick<JsonValue>([null, 3, 'x']),
      }),
      () =>
        this.#chance(0.2)
          ? { schema: this.#chance(0.5) ? {} : true, value: () => this.#any(2) }
          : this.#text(),
      () =>
        this.#chance(0.3)
          ? { schema: { type: 'object' }, value: () => ({ k: this.#any(1) }) }
          : this.#number(),
      () => ({ schema: { type: 'null' }, value: () => null }),
    ])();
  }

  #text(): Generated {
    const texts = [
      '',
      'x',
      'null',
      'two words',
      '__absent__',
      '___absent__',
      '{"a":1}',
      '日本 🎌',
      'a/b~c',
      '$json',
    ];
    return this.#pick<() => Generated>([
      () => ({ schema: { type: 'string', description: 'Some text' }, value: () => this.#pick(texts) }),
      () => ({ schema: { type: 'string' }, value: () => this.#pick(texts) }),
      () => ({
        schema: { type: 'string', minLength: 1, maxLength: 9 },
        value: () => this.#pick(['x', 'two words', '日本']),
      }),
      () => ({ schema: { type: 'string', pattern: '^[a-z]+$' }, value: () => this.#pick(['a', 'zz']) }),
      () => ({ schema: { type: 'string', pattern: '(?=a)a\\b' }, value: () => 'a' }),
      () => ({
        schema: { type: 'string', format: this.#pick(['date', 'uri', 'color']) },
        value: () => '2026-11-21',
      }),
      () => ({ schema: { type: 'string', contentEncoding: 'base64' }, value: () => 'AAEC' }),
    ])();
  }

  #number(): Generated {
    const integer = this.#chance(0.5);
    const schema: Record<string, JsonValue> = { type: integer ? 'integer' : 'number' };
    if (this.#chance(0.3)) schema['minimum'] = -5;
    if (this.#chance(0.3)) schema['maximum'] = 100;
    if (this.#chance(0.2)) schema['exclusiveMinimum'] = -7;
    if (this.#chance(0.2)) schema['exclusiveMaximum'] = 101;
    if (this.#chance(0.2)) schema['multipleOf'] = 0.5;
    if (this.#chance(0.2)) schema['default'] = 1;
    return { schema, value: () => this.#pick(integer ? [0, 1, 42, -5] : [0, 1.5, -2.5, 99]) };
  }

  #enum(): Generated {
    const values = this.#pick<readonly JsonValue[]>([
      ['a', 'b', ''],
      ['one'],
      [1, 2, 3],
      [1.5, 2],
      ['1', 1, null],
      [true],
      [null, 'x'],
      [{ w: 1 }, { w: 2 }, [1, 2]],
      ['{"w":1}', { w: 1 }, 'true', true],
    ]);
    return { schema: { enum: values }, value: () => this.#pick(values) };
  }

  #const(): Generated {
    const value = this.#pick<JsonValue>(['fixed', 7, null, true, { a: [1] }]);
    return { schema: { const: value }, value: () => value };
  }

  #object(depth: number): Generated {
    const names = [
      'a',
      'b',
      'city',
      'two words',
      'città',
      '0',
      '__proto__',
      'constructor',
      'value',
      'key',
      'rest',
      'others',
      'x'.repeat(70),
    ];
    const members = new Map<string, { readonly node: Generated; readonly required: boolean }>();
    for (let index = this.#below(5); index > 0; index--) {
      const node = this.#chance(0.25) ? this.#nullable(depth) : this.#node(depth);
      members.set(this.#pick(names), { node, required: this.#chance(0.5) });
    }
    const properties: Record<string, JsonValue> = {};
    for (const [name, { node }] of members) setOwn(properties, name, node.schema);
    const required = [...members].filter(([, member]) => member.required).map(([name]) => name);
    const schema: Record<string, JsonValue> = { type: 'object', properties };
    if (required.length > 0 || this.#chance(0.5)) schema['required'] = required;
    const closed = this.#chance(0.4);
    if (closed || members.size === 0) schema['additionalProperties'] = false;
    if (this.#chance(0.1)) schema['minProperties'] = required.length;
    if (this.#chance(0.15))
      schema['dependentRequired'] = { 'never there': ['a'], a: members.has('b') ? ['b'] : [] };
    if (this.#chance(0.1)) schema['description'] = 'An object {minimum: 3}';
    if (this.#chance(0.15)) schema['not'] = { required: ['never there'] };
    return {
      schema,
      value: (left) => {
        const value: Record<string, JsonValue> = {};
        for (const [name, { node, required: must }] of members)
          if (must || (left > 0 && this.#chance(0.5))) setOwn(value, name, node.value(left - 1));
        return value;
      },
    };
  }

  /** An object with members of its own, and a record of others. */
  #mixed(depth: number): Generated {
    const own = this.#node(depth);
    const other = this.#leaf();
    const patterned = this.#chance(0.3);
    const rest: JsonObject = patterned
      ? { patternProperties: { '^x': other.schema }, additionalProperties: false }
      : { additionalProperties: this.#chance(0.15) ? true : other.schema };
    return {
      schema: { type: 'object', properties: { id: own.schema }, required: ['id'], ...rest },
      value: (left) => ({
        id: own.value(left - 1),
        ...(left > 0 && this.#chance(0.6)
          ? { [patterned ? 'x1' : this.#pick(['other', 'others', 'k'])]: other.value(left - 1) }
          : {}),
      }),
    };
  }

  #record(depth: number): Generated {
    const inner = this.#chance(0.9) ? this.#node(depth) : { schema: true, value: () => this.#any(1) };
    const schema: Record<string, JsonValue> = { type: 'object', additionalProperties: inner.schema };
    if (this.#chance(0.3)) schema['maxProperties'] = 3;
    const named = this.#chance(0.3);
    if (named) schema['propertyNames'] = { pattern: '^[a-z]+$' };
    return {
      schema,
      value: (left) => {
        const value: Record<string, JsonValue> = {};
        const names = named ? ['k', 'key', 'value'] : ['k', 'key', 'two words', 'ключ', '__proto__'];
        for (let index = left > 0 ? this.#below(3) : 0; index > 0; index--)
          setOwn(value, this.#pick(names), inner.value(left - 1));
        return value;
      },
    };
  }

  #list(depth: number): Generated {
    const inner = this.#node(depth);
    const schema: Record<string, JsonValue> = { type: 'array', items: inner.schema };
    const least = this.#chance(0.3) ? 1 : 0;
    if (least) schema['minItems'] = least;
    if (this.#chance(0.3)) schema['maxItems'] = 4;
    if (this.#chance(0.4)) schema['uniqueItems'] = true;
    return {
      schema,
      value: (left) =>
        Array.from({ length: left > 0 ? Math.max(least, this.#below(3)) : least }, () =>
          inner.value(left - 1),
        ),
    };
  }

  #tuple(depth: number): Generated {
    const places = Array.from({ length: 1 + this.#below(3) }, () => this.#node(depth));
    const rest = this.#chance(0.3) ? this.#leaf() : undefined;
    const open = !rest && this.#chance(0.1);
    const least = this.#below(places.length + 1);
    const [first, others] = this.#draft7 ? ['items', 'additionalItems'] : ['prefixItems', 'items'];
    const schema: Record<string, JsonValue> = { type: 'array', [first]: places.map((place) => place.schema) };
    if (rest) schema[others] = rest.schema;
    else if (!open) schema[others] = false;
    if (least > 0) schema['minItems'] = least;
    return {
      schema,
      value: (left) => {
        const length = least + this.#below(places.length - least + 1);
        const value = places.slice(0, length).map((place) => place.value(left - 1));
        if (rest && length === places.length && left > 0) value.push(rest.value(left - 1));
        return value;
      },
    };
  }

  #union(depth: number): Generated {
    const branches = Array.from({ length: 2 + this.#below(2) }, () => this.#node(depth));
    if (this.#chance(0.3)) {
      const tagged = branches.map((branch, index) => this.#tagged(branch, `t${index}`));
      return {
        schema: { oneOf: tagged.map((one) => one.schema) },
        value: (left) => this.#pick(tagged).value(left),
      };
    }
    return {
      schema: { anyOf: branches.map((one) => one.schema) },
      value: (left) => this.#pick(branches).value(left),
    };
  }

  #tagged(inner: Generated, tag: string): Generated {
    return {
      schema: {
        type: 'object',
        properties: { kind: { const: tag }, inner: inner.schema },
        required: ['kind', 'inner'],
      },
      value: (left) => ({ kind: tag, inner: inner.value(left - 1) }),
    };
  }

  #nullable(depth: number): Generated {
    const inner = this.#node(depth);
    const simple =
      typeof inner.schema === 'object' && typeof inner.schema['type'] === 'string' && this.#chance(0.5);
    const schema = simple
      ? { ...(inner.schema as JsonObject), type: [(inner.schema as JsonObject)['type'] as string, 'null'] }
      : { anyOf: [inner.schema, { type: 'null' }] };
    return { schema, value: (left) => (this.#chance(0.3) ? null : inner.value(left)) };
  }

  #reference(depth: number): Generated {
    const name = this.#pick(['part', 'a/b', 'e f']);
    if (this.#open.has(name)) return this.#leaf();
    if (!this.#definitions.has(name)) {
      this.#open.add(name);
      this.#definitions.set(name, this.#object(Math.min(depth, 1)));
      this.#open.delete(name);
    }
    const key = this.#draft7 ? 'definitions' : '$defs';
    const pointer = `#/${key}/${encodeURIComponent(name.replaceAll('/', '~1'))}`;
    const described = !this.#draft7 && this.#chance(0.3) ? { description: 'By reference' } : {};
    return {
      schema: { $ref: pointer, ...described },
      value: (left) => (this.#definitions.get(name) as Generated).value(left),
    };
  }

  #recursive(): Generated {
    const name = this.#pick(['tree', 'json', 'expression']);
    const pointer = { $ref: `#/${this.#draft7 ? 'definitions' : '$defs'}/${name}` };
    const again = (left: number): JsonValue => (this.#definitions.get(name) as Generated).value(left);
    if (!this.#definitions.has(name)) {
      const leaf = this.#leaf();
      this.#definitions.set(name, { schema: true, value: () => null });
      this.#definitions.set(name, this.#recursiveBody(name, pointer, again, leaf));
    }
    return { schema: pointer, value: (left) => again(left) };
  }

  #recursiveBody(
    name: string,
    pointer: JsonObject,
    again: (left: number) => JsonValue,
    leaf: Generated,
  ): Generated {
    if (name === 'tree')
      return {
        schema: {
          type: 'object',
          properties: { label: leaf.schema, children: { type: 'array', items: pointer } },
          required: ['label'],
        },
        value: (left) => ({
          label: leaf.value(left),
          ...(left > 0 && this.#chance(0.6) ? { children: [again(left - 1)] } : {}),
        }),
      };
    if (name === 'json')
      return {
        schema: {
          anyOf: [
            { type: ['string', 'number', 'boolean', 'null'] },
            { type: 'array', items: pointer },
            { type: 'object', additionalProperties: pointer },
          ],
        },
        value: (left) =>
          left <= 0
            ? this.#pick<JsonValue>([null, 1, 's'])
            : this.#pick<() => JsonValue>([
                () => [again(left - 1)],
                () => ({ k: again(left - 1) }),
                () => 'key',
              ])(),
      };
    return {
      schema: {
        oneOf: [
          { type: 'integer' },
          {
            type: 'object',
            properties: { op: { enum: ['add', 'neg'] }, left: pointer, right: pointer },
            required: ['op', 'left'],
          },
        ],
      },
      value: (left) =>
        left <= 0
          ? 1
          : { op: 'add', left: again(left - 1), ...(this.#chance(0.5) ? { right: again(left - 1) } : {}) },
    };
  }

  #all(depth: number): Generated {
    const first = this.#object(depth);
    const extra = this.#leaf();
    const schema = { ...(first.schema as Record<string, JsonValue>) };
    delete schema['additionalProperties'];
    delete schema['not'];
    return {
      schema: {
        allOf: [schema, { type: 'object', properties: { extra: extra.schema }, required: ['extra'] }],
      },
      value: (left) => ({ ...(first.value(left) as JsonObject), extra: extra.value(left) }),
    };
  }

  #conditional(): Generated {
    return {
      schema: {
        type: 'object',
        properties: { kind: { enum: ['a', 'b'] } },
        required: ['kind'],
        if: { properties: { kind: { const: 'a' } } },
        then: { properties: { size: { type: 'integer' } }, required: ['size'] },
        else: { properties: { name: { type: 'string' } } },
        anyOf: [{ required: ['kind'] }, { required: ['name'] }],
      },
      value: () =>
        this.#chance(0.5)
          ? { kind: 'a', size: 3 }
          : this.#chance(0.5)
            ? { kind: 'b' }
            : { kind: 'b', name: 'n' },
    };
  }

  #any(depth: number): JsonValue {
    if (depth <= 0) return this.#pick<JsonValue>([null, true, 1.5, 'text', '"quoted"']);
    return this.#pick<() => JsonValue>([
      () => [this.#any(depth - 1)],
      () => ({ k: this.#any(depth - 1) }),
      () => this.#any(0),
    ])();
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}

function setOwn(target: Record<string, JsonValue>, name: string, value: JsonValue): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

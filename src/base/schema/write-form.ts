import { WhetstoneError } from '../host/errors.ts';
import { sha256 } from '../json/sha256.ts';
import type { JsonValue } from '../json/value.ts';
import type { Dialect, Features } from './dialect.ts';
import { plainNode } from './form.ts';
import type { Definition, Limit, Member, Node, ObjectForm } from './form.ts';
import { absentMarker } from './plan.ts';
import type { Change, Declined, Dropped } from './plan.ts';
import { Recursion } from './recursion.ts';
import { escapeKey, setMember } from './subschemas.ts';
import { castEnum, enumTypes } from './write-enum.ts';
import { keepLimits } from './write-limits.ts';

/** A schema on its way to the wire; made here, and not yet shared. */
export type Wire = Record<string, unknown>;

/** A step whose unions are not settled: which branches need a tag shows only when everything is written. */
export type RawStep =
  | { readonly op: 'wrap'; readonly key: string; inner?: RawStep }
  | {
      readonly op: 'object';
      readonly members: RawMember[];
      pairs?: { readonly wire: string; value?: RawStep };
      others?: RawStep;
    }
  | { readonly op: 'pairs'; value?: RawStep }
  | { readonly op: 'list'; items: RawStep }
  | { readonly op: 'places'; readonly places: (RawStep | undefined)[]; rest?: RawStep }
  | {
      readonly op: 'tuple';
      readonly places: RawMember[];
      rest?: { readonly wire: string; items?: RawStep };
    }
  | { readonly op: 'union'; readonly choices: RawChoice[]; readonly list: Wire[] }
  | { readonly op: 'text' }
  | { readonly op: 'enum'; readonly values: readonly JsonValue[]; readonly labels: readonly JsonValue[] }
  | { readonly op: 'reference'; readonly to: string };

export interface RawMember {
  readonly name: string;
  readonly wire: string;
  /** Settled at the end: a union that takes null may have its branches tagged. */
  absent: 'null' | 'ambiguous-null' | 'marker' | undefined;
  readonly inner: RawStep | undefined;
  readonly of: Wire;
}

export interface RawChoice {
  readonly wire: Wire;
  readonly step: RawStep | undefined;
  tag?: string;
}

export interface Written {
  readonly wire: Wire;
  readonly step: RawStep | undefined;
}

export interface WriteOptions {
  readonly dialect: Dialect;
  readonly features: Features;
  readonly marker: boolean;
  /** So many optional members become nullable and required, to keep within a provider's count. */
  readonly nullableInstead: number;
}

/** Writes a form in a dialect's words; what it did and could not do is kept beside. */
export class FormWriter {
  readonly #features: Features;
  readonly #options: WriteOptions;
  readonly #recursion = new Recursion();
  readonly definitions = new Map<string, Written>();
  readonly #names = new Map<Definition, string>();
  readonly changes: Change[] = [];
  readonly dropped: Dropped[] = [];
  readonly declined: Declined[] = [];
  #nullableInstead: number;
  /** The definition whose body is being written. */
  #inside: Definition | undefined;

  constructor(options: WriteOptions) {
    this.#options = options;
    this.#features = options.features;
    this.#nullableInstead = options.nullableInstead;
  }

  /** The whole schema: an object, whatever the form is. */
  root(form: Node): Written {
    const node = this.#followed(form);
    let written: Written;
    if (node.form.kind === 'object') written = this.#object(node, node.form, true);
    else written = this.#write(node);
    if (written.wire['type'] === 'object' && (!written.step || written.step.op === 'object')) return written;
    this.#change(
      form.path,
      'wrap-root',
      'The root is no plain object; it stands as the member "value" of one.',
    );
    const wire: Wire = { type: 'object', properties: { value: written.wire }, required: ['value'] };
    if (this.#features.closed) wire['additionalProperties'] = false;
    return { wire, step: { op: 'wrap', key: 'value', ...(written.step ? { inner: written.step } : {}) } };
  }

  #write(node: Node): Written {
    const { form } = node;
    switch (form.kind) {
      case 'any':
        return this.#free(node, 'free-value', 'nothing is said of this value');
      case 'never':
        return this.#nothing(node);
      case 'null':
      case 'boolean':
        return { wire: this.#noted({ type: form.kind }, node), step: undefined };
      case 'number':
        return {
          wire: this.#noted({ type: form.integer ? 'integer' : 'number' }, node, 'number'),
          step: undefined,
        };
      case 'string':
        return { wire: this.#noted({ type: 'string' }, node, 'string'), step: undefined };
      case 'enum':
        return this.#enum(node, form.values);
      case 'list':
        return form.first.length > 0 ? this.#tuple(node, form.first, form.rest) : this.#list(node, form.rest);
      case 'object':
        return this.#object(node, form, false);
      case 'union':
        return this.#union(node, form.branches);
      case 'reference':
        return this.#reference(node, form.to);
    }
  }

  #free(node: Node, reason: string, text: string): Written {
    switch (this.#features.free) {
      case 'keep':
        return {
          wire: this.#noted(
            reason === 'free-value' ? {} : { type: 'object', additionalProperties: true },
            node,
            'object',
          ),
          step: undefined,
        };
      case 'text':
        this.#change(node.path, 'json-text', 'It may be any value, so it stands as JSON text.');
        return {
          wire: this.#noted({ type: 'string' }, node, undefined, 'Any value, as JSON text.'),
          step: { op: 'text' },
        };
      default:
        this.#decline(node.path, reason, text);
        return { wire: { type: 'string' }, step: undefined };
    }
  }

  #nothing(node: Node): Written {
    if (this.#features.free === 'decline') {
      this.#decline(node.path, 'nothing-fits', 'no value fits here');
      return { wire: { type: 'null' }, step: undefined };
    }
    throw new WhetstoneError(
      'schema_refused',
      `${this.#options.dialect} cannot take this schema: no value fits at ${node.path || 'the root'}.`,
      { details: { dialect: this.#options.dialect, path: node.path, reason: 'nothing-fits' } },
    );
  }

  #enum(node: Node, values: readonly JsonValue[]): Written {
    const cast = castEnum(values, this.#features.enums);
    if (cast.labels)
      this.#change(
        node.path,
        'enum-cast',
        'Not all values can be listed as they are; labels stand for them.',
      );
    const named = cast.weakened
      ? {
          ...node,
          limits: [...node.limits, { keyword: 'enum', value: values as JsonValue, path: node.path }],
        }
      : node;
    const wire = this.#noted(enumTypes(cast.values, this.#features, cast.weakened), named);
    const step: RawStep | undefined = cast.labels
      ? { op: 'enum', values: cast.originals, labels: cast.labels }
      : undefined;
    return { wire: cast.nullToo ? this.#nullable(wire) : wire, step };
  }

  #list(node: Node, rest: Node | undefined): Written {
    if (rest?.form.kind === 'never') {
      const limits = [...node.limits, { keyword: 'maxItems', value: 0, path: node.path }];
      const wire = { type: 'array', items: { type: 'null' } };
      return { wire: this.#noted(wire, { ...node, limits }, 'list'), step: undefined };
    }
    if (!rest || saysNothing(rest)) {
      if (this.#features.free === 'decline')
        this.#decline(node.path, 'free-value', 'nothing is said of the items');
      if (this.#features.free === 'keep') {
        const items = rest ? this.#write(rest).wire : {};
        return { wire: this.#noted({ type: 'array', items }, node, 'list'), step: undefined };
      }
    }
    const items = this.#write(rest ?? plainNode({ kind: 'any' }, node.path));
    const wire = this.#noted({ type: 'array', items: items.wire }, node, 'list');
    return { wire, step: items.step && { op: 'list', items: items.step } };
  }

  #tuple(node: Node, first: readonly Node[], rest: Node | undefined): Written {
    const closed = rest?.form.kind === 'never';
    if (this.#features.tuples) {
      const places = first.map((place) => this.#write(place));
      const wire: Wire = { type: 'array', prefixItems: places.map((place) => place.wire) };
      const other = closed || !rest ? undefined : this.#write(rest);
      if (other) wire['items'] = other.wire;
      if (closed) wire['maxItems'] = first.length;
      const changes = places.some((place) => place.step) || other?.step;
      return {
        wire: this.#noted(wire, node, 'list'),
        step: changes
          ? {
              op: 'places',
              places: places.map((place) => place.step),
              ...(other?.step ? { rest: other.step } : {}),
            }
          : undefined,
      };
    }
    return this.#tupleAsObject(
      node,
      first,
      closed ? undefined : (rest ?? plainNode({ kind: 'any' }, node.path)),
    );
  }

  #tupleAsObject(node: Node, first: readonly Node[], rest: Node | undefined): Written {
    this.#change(node.path, 'tuple-to-object', 'A tuple stands as an object with one member a place.');
    if (rest && saysNothing(rest) && this.#features.free === 'decline')
      this.#decline(node.path, 'open-tuple', 'nothing is said of the items after the first ones');
    const least = Math.max(
      0,
      ...node.limits.filter((limit) => limit.keyword === 'minItems').map((limit) => Number(limit.value)),
    );
    const letter = this.#features.memberName && !this.#features.memberNameAtRootOnly ? '_' : '';
    const properties: Wire = {};
    const required: string[] = [];
    const places = first.map((place, index): RawMember => {
      const wire = `${letter}${index}`;
      const optional = index >= least;
      const written =
        optional && this.#features.allRequired
          ? this.#optional(place, true)
          : { ...this.#write(place), absent: undefined };
      const { absent } = written;
      properties[wire] = written.wire;
      if (!optional || absent) required.push(wire);
      return { name: String(index), wire, absent, inner: written.step, of: written.wire };
    });
    const wire: Wire = { type: 'object', properties };
    const step: RawStep = { op: 'tuple', places };
    if (rest) {
      const items = this.#write(rest);
      properties['rest'] = { type: 'array', items: items.wire };
      required.push('rest');
      step.rest = { wire: 'rest', ...(items.step ? { items: items.step } : {}) };
    }
    if (required.length > 0 || this.#features.closed) wire['required'] = required;
    if (this.#features.closed) wire['additionalProperties'] = false;
    const counted = node.limits.map((limit): Limit =>
      limit.keyword === 'minItems' && Number(limit.value) <= first.length
        ? { ...limit, said: true }
        : limit.keyword === 'maxItems' && !rest
          ? { ...limit, said: true }
          : limit,
    );
    return { wire: this.#noted(wire, { ...node, limits: counted }), step };
  }

  #object(node: Node, form: ObjectForm, isRoot: boolean): Written {
    const members = [...form.members].filter(
      ([, member]) => member.required || member.node.form.kind !== 'never',
    );
    const rest = this.#restOf(form, members.length, isRoot);
    if (members.length === 0 && rest === 'free' && !(this.#features.records && isRoot))
      return this.#free(node, 'free-object', 'nothing is said of the members of this object');
    if (members.length === 0 && typeof rest === 'object' && !this.#features.records)
      return this.#pairs(node, form, rest);
    return this.#members(node, members, rest, form, isRoot);
  }

  /** What may stand beside the members: nothing, anything, or values of a node. */
  #restOf(form: ObjectForm, members: number, isRoot: boolean): 'closed' | 'free' | Node {
    // A tool whose arguments are `{type: "object"}` and no more has none.
    if (form.rest === undefined)
      return members > 0 ||
        (isRoot && (form.listed || (this.#features.free === 'text' && !this.#features.closed)))
        ? 'closed'
        : 'free';
    if (form.rest.form.kind === 'never') return 'closed';
    return saysNothing(form.rest) ? 'free' : form.rest;
  }

  #members(
    node: Node,
    members: readonly (readonly [string, Member])[],
    rest: 'closed' | 'free' | Node,
    form: ObjectForm,
    isRoot: boolean,
  ): Written {
    const properties: Wire = {};
    const required: string[] = [];
    const steps: RawMember[] = [];
    const taken = new Set(members.map(([name]) => name));
    for (const [name, member] of members) {
      const wire = this.#memberName(name, taken, node.path, isRoot);
      const optional = !member.required || this.#mustBeOptional(member.node, name, node.path);
      const written =
        optional && this.#takeNull()
          ? this.#optional(member.node, false)
          : { ...this.#write(member.node), absent: undefined };
      const { absent } = written;
      setMember(properties, wire, written.wire);
      if (absent)
        this.#change(
          `${node.path}/properties/${escapeKey(name)}`,
          absent,
          'Optional: null says that it is not there.',
        );
      if (!optional || absent) required.push(wire);
      steps.push({ name, wire, absent, inner: written.step, of: written.wire });
    }
    const wire: Wire = { type: 'object', properties, required };
    const step: RawStep = { op: 'object', members: steps };
    const limits = [...node.limits];
    if (form.rest !== undefined) this.#sayRest(node, form, rest, wire, step, required, taken, limits);
    else if (this.#features.closed) wire['additionalProperties'] = false;
    else if (rest === 'free' && this.#features.records) wire['additionalProperties'] = true;
    if (required.length === 0 && !this.#features.closed) delete wire['required'];
    if (
      members.length === 0 &&
      rest === 'closed' &&
      !isRoot &&
      !this.#features.records &&
      !this.#features.closed
    )
      wire['maxProperties'] = '0';
    return { wire: this.#noted(wire, { ...node, limits }, 'object'), step };
  }

  #sayRest(
    node: Node,
    form: ObjectForm,
    rest: 'closed' | 'free' | Node,
    wire: Wire,
    step: Extract<RawStep, { op: 'object' }>,
    required: string[],
    taken: ReadonlySet<string>,
    limits: Limit[],
  ): void {
    const features = this.#features;
    if (rest === 'closed') {
      if (features.records || features.closed) wire['additionalProperties'] = false;
      else limits.push({ keyword: 'additionalProperties', value: false, path: node.path, said: true });
      return;
    }
    if (features.records) {
      const other = rest === 'free' ? undefined : this.#write(rest);
      wire['additionalProperties'] = other ? other.wire : true;
      if (other?.step) step.others = other.step;
      return;
    }
    if (features.closed) wire['additionalProperties'] = false;
    if (rest === 'free' && features.free === 'decline') {
      this.#decline(
        node.path,
        'open-object',
        'other members of any kind may stand beside those that are listed',
      );
      return;
    }
    let name = 'others';
    while (taken.has(name) || step.members.some((member) => member.wire === name)) name += '_';
    const pairs = this.#pairList(rest === 'free' ? (form.rest as Node) : rest, form);
    setMember(wire['properties'] as Wire, name, { ...pairs.wire, description: 'Further members, as pairs.' });
    if (features.allRequired) required.push(name);
    step.pairs = { wire: name, ...(pairs.step ? { value: pairs.step } : {}) };
    limits.push({ keyword: 'additionalProperties', value: 'pairs', path: node.path, said: true });
    this.#change(
      node.path,
      'record-to-pairs',
      `Further members stand as pairs of key and value in "${name}".`,
    );
  }

  #pairs(node: Node, form: ObjectForm, value: Node): Written {
    this.#change(node.path, 'record-to-pairs', 'A record stands as a list of pairs of key and value.');
    const pairs = this.#pairList(value, form);
    const limits = node.limits.map((limit): Limit =>
      limit.keyword === 'minProperties'
        ? { ...limit, keyword: 'minItems' }
        : limit.keyword === 'maxProperties'
          ? { ...limit, keyword: 'maxItems' }
          : limit,
    );
    for (const limit of node.limits)
      if (/^(min|max)Properties$/.test(limit.keyword)) limits.push({ ...limit, said: true });
    limits.push({ keyword: 'additionalProperties', value: 'pairs', path: node.path, said: true });
    const wire = this.#noted(
      pairs.wire,
      { ...node, limits },
      'list',
      'Pairs of key and value, each key once.',
    );
    return { wire, step: { op: 'pairs', ...(pairs.step ? { value: pairs.step } : {}) } };
  }

  #pairList(value: Node, form: ObjectForm): Written {
    const name = form.names && this.#write(form.names);
    const key = name && !name.step && name.wire['type'] === 'string' ? name.wire : { type: 'string' };
    const written = this.#write(value);
    const pair: Wire = {
      type: 'object',
      properties: { key, value: written.wire },
      required: ['key', 'value'],
    };
    if (this.#features.closed) pair['additionalProperties'] = false;
    return { wire: { type: 'array', items: pair }, step: written.step };
  }

  #memberName(name: string, taken: Set<string>, path: string, isRoot: boolean): string {
    const rule = this.#features.memberName;
    if (!rule || (this.#features.memberNameAtRootOnly && !isRoot) || rule.test(name)) return name;
    const clean = name
      .replaceAll(/[^A-Za-z0-9_]/g, '_')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, 48);
    for (let round = 0; ; round++) {
      const wire = `${clean}_${sha256(round === 0 ? name : `${name}#${round}`).slice(0, 8)}`;
      if (taken.has(wire)) continue;
      taken.add(wire);
      this.#change(
        `${path}/properties/${escapeKey(name)}`,
        'rename',
        `"${name}" is no name that the provider takes; it is called "${wire}".`,
      );
      return wire;
    }
  }

  #takeNull(): boolean {
    if (this.#features.allRequired) return true;
    if (this.#nullableInstead <= 0) return false;
    this.#nullableInstead--;
    return true;
  }

  #absent(wire: Wire, node: Node, exact: boolean): 'null' | 'ambiguous-null' | 'marker' {
    if (!this.#acceptsNull(wire, node)) return 'null';
    return exact || this.#options.marker ? 'marker' : 'ambiguous-null';
  }

  #acceptsNull(wire: Wire, node: Node): boolean {
    if (wire['$ref'] !== undefined) return formAcceptsNull(node, new Set());
    if (Array.isArray(wire['anyOf']))
      return (wire['anyOf'] as Wire[]).some((branch) => this.#acceptsNull(branch, node));
    if (wire['nullable'] === true) return true;
    const type = wire['type'];
    return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
  }

  /** A member that need not be there, where every member is required. */
  #optional(node: Node, exact: boolean): Written & { readonly absent: RawMember['absent'] } {
    const written = this.#write(node);
    const absent = this.#absent(written.wire, node, exact);
    if (absent === 'ambiguous-null') return { ...written, absent };
    if (absent === 'null') return { wire: this.#nullable(written.wire), step: written.step, absent };
    const marker = plainNode({ kind: 'enum', values: [absentMarker] }, node.path);
    const branches = [{ ...node, notes: {} }, marker];
    const union = this.#union({ ...plainNode({ kind: 'any' }, node.path), notes: node.notes }, branches);
    return { ...union, absent };
  }

  #nullable(wire: Wire): Wire {
    const { type } = wire;
    if (Array.isArray(wire['anyOf'])) {
      (wire['anyOf'] as Wire[]).push({ type: 'null' });
      return wire;
    }
    if (type !== undefined && this.#features.nullable === 'flag') {
      const { title, description, ...rest } = wire;
      return {
        ...rest,
        nullable: true,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
      };
    }
    if (type !== undefined) {
      const nullable: Wire = {
        ...wire,
        type: [...(Array.isArray(type) ? (type as string[]) : [type]), 'null'],
      };
      if (Array.isArray(wire['enum'])) {
        if (this.#features.enums === 'scalars') nullable['enum'] = [...(wire['enum'] as JsonValue[]), null];
        else return orNull(wire);
      }
      return nullable;
    }
    return orNull(wire);
  }

  #union(node: Node, branches: readonly Node[]): Written {
    const flat = flatten(branches).flatMap((branch) => this.#withoutNull(branch));
    if (flat.some(saysNothing)) return this.#write({ ...node, form: { kind: 'any' } });
    const withNull = flat.some((branch) => branch.form.kind === 'null');
    const others = flat.filter((branch) => branch.form.kind !== 'null');
    if (others.length === 0) return { wire: this.#noted({ type: 'null' }, node), step: undefined };
    const written = others.map((branch) => this.#write(branch));
    const [only] = written;
    if (written.length === 1 && only) {
      const wire =
        withNull && !this.#acceptsNull(only.wire, others[0] as Node) ? this.#nullable(only.wire) : only.wire;
      return { wire: this.#noted(wire, node), step: only.step };
    }
    if (
      this.#features.typeLists &&
      written.every((one) => typeof one.wire['type'] === 'string' && Object.keys(one.wire).length === 1)
    ) {
      const types = [
        ...new Set(written.map((one) => one.wire['type'] as string)),
        ...(withNull ? ['null'] : []),
      ];
      return { wire: this.#noted({ type: types.length === 1 ? types[0] : types }, node), step: undefined };
    }
    const list = written.map((one) => one.wire);
    if (withNull && !others.some((branch, index) => this.#acceptsNull(list[index] as Wire, branch)))
      list.push({ type: 'null' });
    const choices = list.map((wire, index): RawChoice => ({ wire, step: written[index]?.step }));
    return { wire: this.#noted({ anyOf: list }, node), step: { op: 'union', choices, list } };
  }

  /** Where an enum cannot list null, null is a branch of its own. */
  #withoutNull(branch: Node): readonly Node[] {
    const { form } = branch;
    if (form.kind !== 'enum' || this.#features.enums === 'scalars' || !form.values.includes(null))
      return [branch];
    const values = form.values.filter((value) => value !== null);
    return [{ ...branch, form: { kind: 'enum', values } }, plainNode({ kind: 'null' }, branch.path)];
  }

  #reference(node: Node, to: Definition): Written {
    const target = this.#last(to, node.path);
    const recursive = this.#recursion.isRecursive(target);
    const bare = Object.keys(node.notes).length === 0 && node.limits.length === 0;
    if (recursive) this.#allowRecursion(target, node.path);
    if (!recursive && (this.#features.references === 'none' || !bare)) {
      const read = target.read();
      return this.#write({
        ...read,
        notes: { ...read.notes, ...node.notes },
        limits: [...read.limits, ...node.limits],
      });
    }
    const name = this.#define(target);
    const step: RawStep = { op: 'reference', to: name };
    const wire: Wire = { $ref: `#/$defs/${name}` };
    if (bare) return { wire, step };
    const noted = this.#noted({}, node);
    return { wire: Object.keys(noted).length === 0 ? wire : { anyOf: [wire], ...noted }, step };
  }

  #allowRecursion(target: Definition, path: string): void {
    if (this.#features.references === 'acyclic') {
      this.#decline(path, 'recursive', `"${target.name}" contains itself`);
    } else if (
      this.#features.references === 'none' ||
      (this.#features.references === 'optional-cyclic' && this.#recursion.isUnbroken(target))
    ) {
      throw new WhetstoneError(
        'schema_refused',
        `${this.#options.dialect} cannot take a recursive schema${this.#features.references === 'none' ? '' : ' whose recursion passes no property'}: "${target.name}" at ${path || 'the root'} contains itself.`,
        { details: { dialect: this.#options.dialect, path, reason: 'recursive', name: target.name } },
      );
    }
  }

  /** A member through which a definition reaches itself must be optional, where the provider unrolls recursion. */
  #mustBeOptional(node: Node, name: string, path: string): boolean {
    if (this.#features.references !== 'optional-cyclic' || !this.#inside) return false;
    if (!this.#recursion.leadsBack(node, this.#inside)) return false;
    this.dropped.push({ path, keyword: 'required', value: [name], said: 'nowhere' });
    return true;
  }

  #define(target: Definition): string {
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    let name = target.name;
    for (let number = 2; this.definitions.has(name); number++) name = `${target.name}_${number}`;
    this.#names.set(target, name);
    this.definitions.set(name, { wire: {}, step: undefined });
    const inside = this.#inside;
    this.#inside = target;
    this.definitions.set(name, this.#write(target.read()));
    this.#inside = inside;
    return name;
  }

  /** The end of a chain of definitions that only point on. */
  #last(to: Definition, path: string): Definition {
    if (this.#recursion.isEndless(to))
      throw new WhetstoneError(
        'schema_invalid',
        `This is no JSON Schema: at ${path || 'the root'}, "${to.name}" leads back to itself with nothing between.`,
        { details: { path, reason: 'it leads back to itself', value: to.name } },
      );
    let target = to;
    for (let node = to.read(); node.form.kind === 'reference'; node = target.read()) {
      if (Object.keys(node.notes).length + node.limits.length > 0) break;
      target = node.form.to;
    }
    return target;
  }

  #followed(node: Node): Node {
    let at = node;
    while (at.form.kind === 'reference') {
      const read = this.#last(at.form.to, at.path).read();
      at = { ...read, notes: { ...read.notes, ...at.notes }, limits: [...read.limits, ...at.limits] };
    }
    return at;
  }

  /** The wire with what the node says beside its structure: limits that are kept, and a description of the rest. */
  #noted(wire: Wire, node: Node, kind?: 'number' | 'string' | 'list' | 'object', lead?: string): Wire {
    const { notes } = node;
    if (node.limits.length === 0 && lead === undefined && isEmpty(notes)) return wire;
    const texts = keepLimits(wire, node, kind, this.#features, this.dropped);
    const described: string[] = [];
    if (lead !== undefined) described.push(lead);
    if (notes['default'] !== undefined && notes['default'] !== null)
      texts.unshift(`default: ${JSON.stringify(notes['default'])}`);
    if (notes['examples'] !== undefined) texts.push(`examples: ${JSON.stringify(notes['examples'])}`);
    if (notes['deprecated'] === true) texts.push('deprecated');
    if (texts.length > 0) described.push(`(${texts.join('; ')})`);
    const own = notes['description'] ?? wire['description'];
    const description = [
      ...(typeof own === 'string' && own !== '' ? [own] : []),
      ...described.filter((text) => !String(own).includes(text)),
    ].join(' ');
    const title = this.#features.notes.includes('title') ? notes['title'] : undefined;
    if (title === undefined && description === '') return wire;
    if (Array.isArray(wire['anyOf']) && !this.#features.besideAnyOf) {
      const [first] = wire['anyOf'] as Wire[];
      if (first && description !== '')
        first['description'] =
          first['description'] === undefined ? description : `${description} ${String(first['description'])}`;
      return wire;
    }
    const { title: inner, description: _, ...rest } = wire;
    const named = title ?? inner;
    return {
      ...rest,
      ...(named === undefined ? {} : { title: named }),
      ...(description === '' ? {} : { description }),
    };
  }

  #change(path: string, change: string, text: string): void {
    this.changes.push({ path, change, text });
  }

  #decline(path: string, reason: string, text: string): void {
    this.declined.push({ path, reason, text });
  }
}

function isEmpty(notes: object): boolean {
  for (const _ in notes) return false;
  return true;
}

/** A node that any value fits: also a choice with such a branch. */
function saysNothing({ form }: Node): boolean {
  return form.kind === 'any' || (form.kind === 'union' && form.branches.some(saysNothing));
}

function orNull(wire: Wire): Wire {
  const { description, title, ...rest } = wire;
  return {
    anyOf: [rest, { type: 'null' }],
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Branches that are unions themselves, with nothing of their own to say, stand among their siblings. */
function flatten(branches: readonly Node[]): readonly Node[] {
  return branches.flatMap((branch) =>
    branch.form.kind === 'union' &&
    Object.keys(branch.notes).length === 0 &&
    branch.limits.every((limit) => limit.said)
      ? flatten(branch.form.branches)
      : [branch],
  );
}

function formAcceptsNull(node: Node, seen: Set<Definition>): boolean {
  const { form } = node;
  if (form.kind === 'any' || form.kind === 'null') return true;
  if (form.kind === 'enum') return form.values.includes(null);
  if (form.kind === 'union') return form.branches.some((branch) => formAcceptsNull(branch, seen));
  if (form.kind !== 'reference' || seen.has(form.to)) return false;
  seen.add(form.to);
  return formAcceptsNull(form.to.read(), seen);
}

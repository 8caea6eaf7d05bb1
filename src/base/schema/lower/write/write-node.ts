import { WhetstoneError } from '../../../host/errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Dialect, Features } from '../dialect.ts';
import type { Definition, Node } from '../ir/ir.ts';
import { joinLimits } from '../ir/limits.ts';
import { annotate } from './annotate.ts';
import type { Change, Declined, Dropped } from '../plan.ts';
import { Recursion } from '../ir/recursion.ts';
import type { RawStep, Wire, Written } from './written-schema.ts';
import { castEnum, enumTypes } from './write-enum.ts';
import { writeList, writeTuple } from './write-list.ts';
import { writeObject } from './write-object.ts';
import { nullable, writeUnion } from './write-union.ts';

export interface WriteOptions {
  readonly dialect: Dialect;
  readonly features: Features;
  readonly marker: boolean;
  /** So many optional members become nullable and required, to keep within a provider's count. */
  readonly nullableInstead: number;
}

/** Writes a form in a dialect's words; what it did and could not do is kept beside. */
export class FormWriter {
  readonly features: Features;
  readonly dialect: Dialect;
  readonly marker: boolean;
  #found: Recursion | undefined;
  readonly definitions = new Map<string, Written>();
  readonly #names = new Map<Definition, string>();
  readonly changes: Change[] = [];
  readonly dropped: Dropped[] = [];
  readonly declined: Declined[] = [];
  #nullableInstead: number;
  #parts = 0;
  /** The definition whose body is being written. */
  #inside: Definition | undefined;

  get #recursion(): Recursion {
    return (this.#found ??= new Recursion());
  }

  constructor(options: WriteOptions) {
    this.dialect = options.dialect;
    this.marker = options.marker;
    this.features = options.features;
    this.#nullableInstead = options.nullableInstead;
  }

  /** The whole schema: an object, whatever the form is. */
  root(form: Node): Written {
    const node = this.#followed(form);
    let written: Written;
    if (node.form.kind === 'object') written = writeObject(this, node, node.form, true);
    else written = this.write(node);
    if (written.wire['type'] === 'object' && (!written.step || written.step.op === 'object')) {
      written.wire['properties'] ??= {};
      return written;
    }
    this.change(
      form.path,
      'wrap-root',
      'The root is no plain object; it stands as the member "value" of one.',
    );
    const wire: Wire = { type: 'object', properties: { value: written.wire }, required: ['value'] };
    if (this.features.closed) wire['additionalProperties'] = false;
    return { wire, step: { op: 'wrap', key: 'value', ...(written.step ? { inner: written.step } : {}) } };
  }

  write(node: Node): Written {
    if (++this.#parts > mostParts)
      throw new WhetstoneError(
        'schema_refused',
        `${this.dialect} cannot take this schema: written out, it has more than ${mostParts} parts (at ${node.path}).`,
        { details: { dialect: this.dialect, path: node.path, reason: 'too-large' } },
      );
    const { form } = node;
    switch (form.kind) {
      case 'any':
        return this.free(node, 'free-value', 'nothing is said of this value');
      case 'never':
        return this.#nothing(node);
      case 'null':
      case 'boolean':
        return { wire: annotate(this, { type: form.kind }, node), step: undefined };
      case 'number':
        return {
          wire: annotate(this, { type: form.integer ? 'integer' : 'number' }, node, 'number'),
          step: undefined,
        };
      case 'string':
        return { wire: annotate(this, { type: 'string' }, node, 'string'), step: undefined };
      case 'enum':
        return this.#enum(node, form.values);
      case 'list':
        return form.first.length > 0
          ? writeTuple(this, node, form.first, form.rest)
          : writeList(this, node, form.rest);
      case 'object':
        return writeObject(this, node, form, false);
      case 'union':
        return writeUnion(this, node, form.branches);
      case 'reference':
        return this.#reference(node, form.to);
    }
  }

  free(node: Node, reason: string, text: string): Written {
    switch (this.features.free) {
      case 'keep':
        return {
          wire: annotate(
            this,
            reason === 'free-value' ? {} : { type: 'object', additionalProperties: true },
            node,
            'object',
          ),
          step: undefined,
        };
      case 'text':
        this.change(node.path, 'json-text', 'It may be any value, so it stands as JSON text.');
        return {
          wire: annotate(this, { type: 'string' }, node, undefined, 'Any value, as JSON text.'),
          step: { op: 'text' },
        };
      default:
        this.decline(node.path, reason, text);
        return { wire: { type: 'string' }, step: undefined };
    }
  }

  #nothing(node: Node): Written {
    if (this.features.free === 'decline') {
      this.decline(node.path, 'nothing-fits', 'no value fits here');
      return { wire: { type: 'null' }, step: undefined };
    }
    throw new WhetstoneError(
      'schema_refused',
      `${this.dialect} cannot take this schema: no value fits at ${node.path || 'the root'}.`,
      { details: { dialect: this.dialect, path: node.path, reason: 'nothing-fits' } },
    );
  }

  #enum(node: Node, values: readonly JsonValue[]): Written {
    const cast = castEnum(values, this.features.enums);
    if (cast.labels)
      this.change(node.path, 'enum-cast', 'Not all values can be listed as they are; labels stand for them.');
    const named = cast.weakened
      ? {
          ...node,
          limits: [...node.limits, { keyword: 'enum', value: values as JsonValue, path: node.path }],
        }
      : node;
    const wire = annotate(this, enumTypes(cast.values, this.features, cast.weakened), named);
    const step: RawStep | undefined = cast.labels
      ? { op: 'enum', values: cast.originals, labels: cast.labels }
      : undefined;
    return { wire: cast.nullToo ? nullable(this, wire) : wire, step };
  }

  takeNull(): boolean {
    if (this.features.allRequired) return true;
    if (this.#nullableInstead <= 0) return false;
    this.#nullableInstead--;
    return true;
  }

  #reference(node: Node, to: Definition): Written {
    const target = this.#last(to, node.path);
    const recursive = this.#recursion.isRecursive(target);
    const bare = Object.keys(node.notes).length === 0 && node.limits.length === 0;
    if (recursive) this.#allowRecursion(target, node.path);
    if (!recursive && (this.features.references === 'none' || !bare)) {
      const read = target.read();
      return this.write({
        ...read,
        notes: { ...read.notes, ...node.notes },
        limits: joinLimits(read.limits, node.limits),
      });
    }
    const name = this.#define(target);
    const step: RawStep = { op: 'reference', to: name };
    return { wire: annotate(this, { $ref: `#/$defs/${name}` }, node), step };
  }

  #allowRecursion(target: Definition, path: string): void {
    if (this.features.references === 'acyclic') {
      this.decline(path, 'recursive', `"${target.name}" contains itself`);
    } else if (
      this.features.references === 'none' ||
      (this.features.references === 'optional-cyclic' && this.#recursion.isUnbroken(target))
    ) {
      throw new WhetstoneError(
        'schema_refused',
        `${this.dialect} cannot take a recursive schema${this.features.references === 'none' ? '' : ' whose recursion passes no property'}: "${target.name}" at ${path || 'the root'} contains itself.`,
        { details: { dialect: this.dialect, path, reason: 'recursive', name: target.name } },
      );
    }
  }

  /** A member through which a definition reaches itself must be optional, where the provider unrolls recursion. */
  mustBeOptional(node: Node, name: string, path: string): boolean {
    if (this.features.references !== 'optional-cyclic' || !this.#inside) return false;
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
    this.definitions.set(name, this.write(target.read()));
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

  change(path: string, change: string, text: string): void {
    this.changes.push({ path, change, text });
  }

  decline(path: string, reason: string, text: string): void {
    this.declined.push({ path, reason, text });
  }
}

/** Where references cannot be kept, a few small definitions can become a wire schema without end. */
const mostParts = 50_000;

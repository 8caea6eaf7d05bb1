import { WhetstoneError } from '../../host/errors.ts';
import type { Dialect, Features } from '../dialect.ts';
import type { Definition, Form, Node } from '../ir/ir.ts';
import { Recursion } from '../ir/recursion.ts';
import type { Change, Declined, Dropped } from '../plan.ts';
import type { Written } from './written-schema.ts';

export interface WriteOptions {
  readonly dialect: Dialect;
  readonly features: Features;
  readonly marker: boolean;
  /** How many optional members become nullable and required, to keep within a provider's count. */
  readonly nullableInstead: number;
}

/** Writes one kind of node; what is inside goes back to the context. */
export type Writer<Kind extends Form['kind']> = (
  context: WriteContext,
  node: Node,
  form: Extract<Form, { readonly kind: Kind }>,
) => Written;

export type Writers = { readonly [Kind in Form['kind']]: Writer<Kind> };

/** What every writer of a schema is handed: what the dialect can say, and where to note what it cannot. */
export class WriteContext {
  readonly dialect: Dialect;
  readonly features: Features;
  readonly marker: boolean;
  readonly recursion = new Recursion();
  readonly definitions = new Map<string, Written>();
  readonly names = new Map<Definition, string>();
  /** The definition whose body is being written. */
  inside: Definition | undefined;
  readonly changes: Change[] = [];
  readonly dropped: Dropped[] = [];
  readonly declined: Declined[] = [];
  readonly #writers: Writers;
  #nullableInstead: number;
  #parts = 0;

  constructor({ dialect, features, marker, nullableInstead }: WriteOptions, writers: Writers) {
    this.dialect = dialect;
    this.features = features;
    this.marker = marker;
    this.#nullableInstead = nullableInstead;
    this.#writers = writers;
  }

  write(node: Node): Written {
    if (++this.#parts > mostParts)
      throw this.refused(
        node.path,
        'too-large',
        `this schema: written out, it has more than ${mostParts} parts (at ${node.path})`,
      );
    const writer = this.#writers[node.form.kind] as Writer<Form['kind']>;
    return writer(this, node, node.form as never);
  }

  /** Whether an optional member becomes one that takes null. */
  takeNull(): boolean {
    if (this.features.allRequired) return true;
    return this.#nullableInstead > 0 && this.#nullableInstead-- > 0;
  }

  change(path: string, change: string, text: string): void {
    this.changes.push({ path, change, text });
  }

  decline(path: string, reason: string, text: string): void {
    this.declined.push({ path, reason, text });
  }

  refused(path: string, reason: string, text: string, more: object = {}): WhetstoneError {
    return new WhetstoneError('schema_refused', `${this.dialect} cannot take ${text}.`, {
      details: { dialect: this.dialect, path, reason, ...more },
    });
  }
}

/** Where references cannot be kept, a few small definitions can become a wire schema without end. */
const mostParts = 50_000;

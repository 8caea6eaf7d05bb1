import type { JsonObject } from '../json/value.ts';

/** What is known of a function or method before it is called, and where it is. */
export interface ToolSignature extends StoredSignature {
  readonly file: string;
  readonly line: number;
}

/** Enough to describe a function to a model and to call it. */
export interface StoredSignature {
  readonly name: string;
  readonly description: string;
  /** Always an object: one property for each parameter, or those of the one object that is taken apart. */
  readonly input: JsonObject;
  /** How the properties become arguments again, in order. */
  readonly parameters: readonly SignatureParameter[];
  /** What `length` of the function says, a sign that it is still the same; null where only its type is written. */
  readonly length: number | null;
  /** Pointers into `input` to schemas whose value is a `Date` for the function, and a text in JSON. */
  readonly dates: readonly string[];
  /** Under which name the file exports it, or the class it belongs to. */
  readonly exportName: string;
  readonly className?: string;
  /** Methods of its class that begin and end its use, and are not tools. */
  readonly life?: readonly ('start' | 'stop')[];
}

export interface SignatureParameter {
  readonly name: string;
  /**
   * `whole` is the one object that is taken apart in the signature; `rest` takes what is left of the arguments;
   * `context` and `signal` are filled in by the run, and no model sees them.
   */
  readonly kind: 'value' | 'whole' | 'rest' | 'context' | 'signal';
}

/** What cannot be said in JSON Schema, and where it is. Here, since its type must not ask for the compiler. */
export interface Refusal {
  readonly tool: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Within the tool: `order.items[].price`; empty for the tool itself. */
  readonly path: string;
  readonly reason: string;
}

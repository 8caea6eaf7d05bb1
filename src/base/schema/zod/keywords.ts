/** Thrown when a type of a library has no word in JSON; the caller that knows the place reports it. */
export class NoWord extends Error {
  constructor(type: string) {
    super(`${type} cannot be represented in JSON Schema.`);
  }
}

/** A schema as it is printed, or a part of one. */
export type Keywords = Readonly<Record<string, unknown>>;

/** What is printed of a schema inside another, at the JSON pointer below it. */
export type PrintInner<Schema> = (inner: Schema, ...path: readonly (string | number)[]) => Keywords;

/** What one of several expressions says, or each of them. */
export function patternKeywords(patterns: Iterable<string>): Keywords {
  const [first, ...more] = patterns;
  if (first === undefined) return {};
  if (more.length === 0) return { pattern: first };
  return { allOf: [first, ...more].map((pattern) => ({ pattern })) };
}

/** A value that must be exactly this, or one of these. */
export function valueKeywords(values: readonly unknown[]): Keywords {
  const unfit = values.find((value) => value === undefined || typeof value === 'bigint');
  if (values.includes(undefined) || unfit !== undefined) throw new NoWord(`The literal ${String(unfit)}`);
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const type = types.size === 1 ? { type: [...types][0] } : {};
  return values.length === 1 ? { ...type, const: values[0] } : { ...type, enum: values };
}

/** The values of an enum of TypeScript, whose numbers also name their names. */
export function enumValues(entries: Readonly<Record<string, unknown>>): readonly unknown[] {
  const numbers = Object.values(entries).filter((value) => typeof value === 'number');
  return Object.entries(entries)
    .filter(([key]) => !numbers.includes(Number(key)))
    .map(([, value]) => value);
}

/** A default that JSON holds. */
export function withDefault(keywords: Keywords, read: () => unknown): Keywords {
  const text: string | undefined = JSON.stringify(read());
  return text === undefined ? keywords : { ...keywords, default: JSON.parse(text) as unknown };
}

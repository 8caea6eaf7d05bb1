/** A failure that was to be expected: the model reads the reason, and nobody looks for a bug. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly reason: string | undefined;
  /** For programs. A tool that keeps time by itself says `timeout`. */
  readonly code: 'failed' | 'timeout' | 'output_invalid';
  constructor(reason?: string, code: Failure['code'] = 'failed') {
    super(reason);
    this.reason = reason;
    this.code = code;
  }
}

/** Arguments that a tool itself finds wrong. */
export class InvalidArgument extends Failure {
  readonly field: string;
  readonly expected: string;
  constructor(field: string, expected: string) {
    super(`${field}: expected ${expected}`);
    this.field = field;
    this.expected = expected;
  }
}

/**
 * Says that the tool could not do it. Return it or throw it.
 * @example run: async ({ city }) => (await find(city)) ?? failCall(`No city is called ${city}.`)
 */
export function failCall(reason?: string): Failure {
  return new Failure(reason);
}

/**
 * Says that one argument is wrong, in words like those of the schema check. Return it or throw it.
 * @example readArguments: (input) => (known.has(input.city) ? input : invalidArgument('city', 'a city we deliver to'))
 */
export function invalidArgument(field: string, expected: string): InvalidArgument {
  return new InvalidArgument(field, expected);
}

import { checkValue, holds, loadChecker } from '../src/base/schema/check/check.ts';
import type { JsonSchema } from '../src/base/schema/json-schema.ts';
import { type Claim, median, peer, round, timeInTurn } from './harness.ts';
import { type Zod, badOrder, goodOrder, plainOrder, zodOrder } from './order-schema.ts';

let marks = 0;

/** Milliseconds from a schema never seen to its first verdict: how the first call of a tool feels it. */
function firstCalls(check: (schema: object) => unknown, count: number): number {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const schema = plainOrder(` first ${marks++}`);
    const started = performance.now();
    check(schema);
    times.push(performance.now() - started);
  }
  return median(times);
}

export const claim: Claim = {
  name: 'schema-check',
  title: 'checking the arguments of a call costs what the fastest checker costs, also at the first call',
  async measure({ rounds }) {
    await loadChecker();
    const zod = zodOrder(await peer<Zod>('zod'));
    const { default: Ajv } = await peer<{
      default: new (options: object) => { compile: (schema: object) => (value: unknown) => boolean };
    }>('ajv/dist/2020.js');
    const { Compile } = await peer<{ Compile: (schema: object) => { Check: (value: unknown) => boolean } }>(
      'typebox/schema',
    );
    const { Validator } = await peer<{
      Validator: new (
        schema: object,
        draft: string,
        short: boolean,
      ) => { validate: (value: unknown) => { valid: boolean } };
    }>('@cfworker/json-schema');
    const schema = plainOrder() as JsonSchema;
    const ajv = new Ajv({ strict: false });
    const compiled = {
      ajv: ajv.compile(plainOrder()),
      typebox: Compile(plainOrder()),
      cfworker: new Validator(plainOrder(), '2020-12', true),
    };
    const checks: Record<string, (value: unknown) => boolean> = {
      whetstone: (value) => checkValue(schema, value).length === 0,
      'whetstone, verdict only': (value) => holds(schema, value),
      typebox: (value) => compiled.typebox.Check(value),
      ajv: (value) => compiled.ajv(value),
      zod: (value) => zod.safeParse(value).success,
      '@cfworker/json-schema': (value) => compiled.cfworker.validate(value).valid,
    };
    for (const [name, check] of Object.entries(checks))
      if (!check(goodOrder) || check(badOrder)) throw new Error(`${name} gives a wrong verdict.`);
    const times = await timeInTurn(
      Object.fromEntries(
        Object.entries(checks).map(([name, check]) => [
          name,
          (count: number) => {
            for (let n = 0; n < count; n++) check(goodOrder);
          },
        ]),
      ),
      { rounds },
    );
    const first: Record<string, number> = {
      whetstone: firstCalls((fresh) => checkValue(fresh as JsonSchema, goodOrder), 400),
      typebox: firstCalls((fresh) => Compile(fresh).Check(goodOrder), 400),
      ajv: firstCalls((fresh) => ajv.compile(fresh)(goodOrder), 200),
    };
    const ns = (name: string): number => times[name]!.median * 1e6;
    const best = Math.min(ns('typebox'), ns('ajv'), ns('zod'));
    return {
      rows: Object.keys(checks).map((checker) => ({
        checker,
        'ns a call': round(ns(checker)),
        'first call, ms': first[checker] === undefined ? '' : round(first[checker]),
      })),
      limits: [
        {
          says: 'times the fastest peer, a valid call',
          measured: round(ns('whetstone') / best),
          atMost: 1.25,
        },
        {
          says: 'ms of the first call, library loaded',
          measured: round(first['whetstone'] ?? 0),
          atMost: 0.3,
        },
      ],
      notes: [
        'A call of about 600 bytes with four items, nothing to report. The library is loaded before, once a process.',
        'First call: a schema of new content, compiled and checked; the median of some hundred.',
      ],
    };
  },
};

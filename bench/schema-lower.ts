import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { readSchema } from '../src/base/schema/read-schema.ts';
import { lower } from '../src/base/dialect/lower.ts';
import { type Claim, median, peer, round, timeInTurn } from './harness.ts';
import { type Zod, plainForecast, plainOrder, zodOrder } from './order-schema.ts';

const tools = 1000;
/** What a floor makes is kept, so that making it is not optimised away. */
const kept: unknown[] = [];
let marks = 0;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/** Reads and lowers so many schemas, as a request with so many tools does. */
function readAndLower(make: () => unknown): void {
  for (let n = 0; n < tools; n++) lower(readSchema(make()).jsonSchema, 'openai-strict');
}

/**
 * What comes on top of Zod: its printed schemas, each new, are read and lowered. As a share of what a peer takes right
 * before, so that a machine that changes its pace changes both.
 */
async function beyondZod(zod: Zod, rounds: number, peerDoes: () => Promise<void>): Promise<number> {
  const shares: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const began = performance.now();
    await peerDoes();
    const peerTook = performance.now() - began;
    const schemas = Array.from({ length: tools }, () => {
      const printed = zod.z.toJSONSchema(zodOrder(zod));
      return { '~standard': { version: 1, vendor: 'zod', jsonSchema: { input: () => printed } } };
    });
    // What Zod has left behind is collected first: that is part of its price.
    collectGarbage({ type: 'minor' });
    const started = performance.now();
    for (const schema of schemas) lower(readSchema(schema).jsonSchema, 'openai-strict');
    shares.push((performance.now() - started) / peerTook);
  }
  return median(shares);
}

export const claim: Claim = {
  name: 'schema-lower',
  title: 'a thousand tools are defined and lowered in five milliseconds beyond what the schema library costs',
  async measure({ rounds }) {
    const zod = await peer<Zod>('zod');
    const { tool, asSchema } = await peer<{
      tool: (definition: object) => { readonly inputSchema: unknown };
      asSchema: (schema: unknown) => { readonly jsonSchema: unknown };
    }>('ai');
    const { toolDefinition, convertSchemaToJsonSchema } = await peer<{
      toolDefinition: (definition: object) => { readonly inputSchema: unknown };
      convertSchemaToJsonSchema: (schema: unknown) => unknown;
    }>('@tanstack/ai');
    const again = Array.from({ length: tools }, () => plainOrder());
    const zods = Array.from({ length: tools }, () => zodOrder(zod));
    const printInPeer = async (): Promise<void> => {
      for (let one = 0; one < tools; one++)
        await asSchema(tool({ description: 'd', inputSchema: zodOrder(zod) }).inputSchema).jsonSchema;
    };
    const each = (work: (count: number) => void) => (count: number) => {
      for (let n = 0; n < count; n++) work(n);
    };
    const times = await timeInTurn(
      {
        'floor: object literals': each(() => {
          for (let n = 0; n < tools; n++) kept[n] = plainOrder();
        }),
        'floor: Zod, defined and printed': each(() => {
          for (let n = 0; n < tools; n++) kept[n] = zod.z.toJSONSchema(zodOrder(zod));
        }),
        'whetstone, plain JSON Schema': each(() => readAndLower(plainOrder)),
        'whetstone, plain JSON Schema, every content new': each(() =>
          readAndLower(() => plainOrder(` ${marks++}`)),
        ),
        'whetstone, plain JSON Schema of three members, every content new': each(() =>
          readAndLower(() => plainForecast(` ${marks++}`)),
        ),
        'whetstone, Zod': each(() => readAndLower(() => zodOrder(zod))),
        'whetstone, the same plain schemas again': each(() => {
          for (const schema of again) lower(readSchema(schema).jsonSchema, 'openai-strict');
        }),
        'whetstone, the same Zod schemas again': each(() => {
          for (const schema of zods) lower(readSchema(schema).jsonSchema, 'openai-strict');
        }),
        'AI SDK, Zod': async (count) => {
          for (let n = 0; n < count; n++) await printInPeer();
        },
        'TanStack, Zod': each(() => {
          for (let n = 0; n < tools; n++)
            convertSchemaToJsonSchema(
              toolDefinition({ name: `t${n}`, description: 'd', inputSchema: zodOrder(zod) }).inputSchema,
            );
        }),
      },
      { rounds, warmMs: 400 },
    );
    const ms = (name: keyof typeof times): number => times[name].median;
    /** As it would be where the limits were set: there Zod in the AI SDK takes 358 ms. */
    const peerThere = 358;
    const there = (own: number): number => round((peerThere * own) / ms('AI SDK, Zod'));
    return {
      rows: Object.entries(times).map(([contender, time]) => ({
        contender,
        'ms for 1,000 tools': round(time.median),
      })),
      limits: [
        {
          says: 'ms beyond the literals, plain JSON Schema, where Zod in the AI SDK takes 358',
          measured: there(ms('whetstone, plain JSON Schema') - ms('floor: object literals')),
          atMost: 5,
        },
        {
          says: 'ms the second time, there',
          measured: there(ms('whetstone, the same plain schemas again')),
          atMost: 1,
        },
        {
          says: 'ms beyond Zod itself, there',
          measured: round(peerThere * (await beyondZod(zod, rounds, printInPeer))),
          atMost: 5,
        },
      ],
      notes: [
        'The limits were set where Zod in the AI SDK takes 358 ms: ours are told as they would be there, by what that takes in the same run.',
        'Read, checked for faults, and lowered to OpenAI strict with a plan; the peers only print JSON Schema.',
        'Equal schemas are recognised by their content, so that a thousand tools of one shape are lowered once; the rows with every content new show what reading and lowering itself costs: of a schema of 20 members in three levels, and of one of three.',
        'What Zod takes to define and print varies more from run to run than what comes on top of it, so that is timed alone.',
      ],
    };
  },
};

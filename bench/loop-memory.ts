import { fileURLToPath } from 'node:url';

import { type Claim, inFreshProcess, median, round } from './harness.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `steps` steps, keeps the outcome, and answers with the bytes that this holds beyond an empty process. */
const source = (steps: number): string => `
import { run, tool } from '${root}src/index.ts';
const note = tool({ name: 'note', description: 'Keeps a note', input: { type: 'object' }, run: ({ text }) => 'kept ' + text });
const play = (steps) => {
  let step = 0;
  const model = {
    name: 'bench/instant', api: 'bench', capabilities: { images: true, tools: true, parallelCalls: true, strict: true },
    async *stream() {
      const done = step++ >= steps;
      const text = 'step ' + step + ' ' + 'x'.repeat(200);
      const call = { type: 'call', id: 'c' + step, name: 'note', arguments: JSON.stringify({ text }), kind: 'function', requiresLocalExecution: true };
      if (!done) yield { type: 'call-end', slot: 0, call };
      const content = done ? [{ type: 'text', text: 'done' }] : [call];
      yield { type: 'finish', reply: { message: { role: 'assistant', content }, finish: { reason: done ? 'stop' : 'calls' }, usage: { input: 1, output: 1, total: 2 }, complete: true } };
    },
  };
  return run({ model, tools: [note], prompt: 'go', limits: { steps: steps + 5 } });
};
await play(20);
globalThis.gc();
const before = process.memoryUsage().heapUsed;
const outcome = await play(${steps});
globalThis.gc();
const held = process.memoryUsage().heapUsed - before;
console.log(JSON.stringify({ held, json: JSON.stringify(outcome.messages).length }));
`;

export const claim: Claim = {
  name: 'loop-memory',
  title: 'a long run holds its history once, and nothing besides that grows faster',
  async measure({ rounds }) {
    const sizes = [500, 1000, 2000];
    const rows = sizes.map((steps) => {
      const runs = Array.from({ length: Math.min(rounds, 5) }, () =>
        inFreshProcess<{ held: number; json: number }>(source(steps), {
          cwd: root,
          args: ['--expose-gc', '--conditions=whetstone-source'],
        }),
      );
      const held = median(runs.map((each) => each.held));
      return { steps, held, json: runs[0]!.json };
    });
    const [small, , large] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    return {
      rows: rows.map(({ steps, held, json }) => ({
        steps,
        'KB held': round(held / 1000),
        'KB of the history as JSON': round(json / 1000),
        'bytes held a step': round(held / steps),
      })),
      limits: [
        {
          says: 'bytes a step at 2,000 steps / at 500',
          measured: round(large.held / large.steps / (small.held / small.steps)),
          atMost: 1.2,
        },
      ],
      notes: [
        'What the outcome holds after a collection: messages, calls with their results, usage. Each text is there once.',
      ],
    };
  },
};

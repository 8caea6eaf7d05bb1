import {
  argumentsSoFar,
  partialCall,
  partialMessage,
  mergePartials,
} from '../src/base/message/partial-message.ts';
import type { PartialCall } from '../src/base/message/partial-message.ts';
import { type Claim, exponent, round, timeInTurn } from './harness.ts';

const sizes = [2_500, 10_000, 40_000];

/** Deltas of sixteen characters, as a provider sends them. */
function deltas(count: number): readonly string[] {
  const text = JSON.stringify({
    items: Array.from({ length: count }, (_, n) => `item ${n % 100000}`.padEnd(13)),
  });
  return Array.from({ length: count }, (_, n) => text.slice(n * 16, n * 16 + 16));
}

function mergeAllOf(pieces: readonly string[], look: boolean): PartialCall {
  let half = partialMessage([partialCall({ slot: 0, id: 'call_1', name: 'write' })]);
  for (const argumentsText of pieces) {
    half = mergePartials(half, partialMessage([partialCall({ slot: 0, argumentsText })]));
    if (look) argumentsSoFar(half.content[0] as PartialCall);
  }
  return half.content[0] as PartialCall;
}

export const claim: Claim = {
  name: 'merge',
  title: 'merging half-arrived calls is linear in their deltas, also when the arguments are read after each',
  async measure({ rounds }) {
    const works: Record<string, (count: number) => void> = {};
    for (const size of sizes) {
      const pieces = deltas(size);
      if (mergeAllOf(pieces, true).argumentsText !== pieces.join('')) throw new Error('A delta was lost.');
      works[`merge ${size}`] = (count) => {
        for (let n = 0; n < count; n++) mergeAllOf(pieces, false);
      };
      works[`read ${size}`] = (count) => {
        for (let n = 0; n < count; n++) mergeAllOf(pieces, true);
      };
    }
    const times = await timeInTurn(works, { rounds });
    const ms = (name: string): number => times[name]!.median;
    const [small, , large] = sizes as [number, number, number];
    return {
      rows: sizes.map((size) => ({
        deltas: size,
        'merged, ms': round(ms(`merge ${size}`)),
        'and read after each, ms': round(ms(`read ${size}`)),
      })),
      limits: [
        {
          says: 'exponent, merged and read after each',
          measured: round(
            exponent({ size: small, time: ms(`read ${small}`) }, { size: large, time: ms(`read ${large}`) }),
          ),
          atMost: 1.15,
        },
      ],
      notes: ['One call, deltas of sixteen characters; a merge changes neither side.'],
    };
  },
};

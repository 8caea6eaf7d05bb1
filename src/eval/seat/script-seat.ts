import type { Seat, Utterance } from './speaker.ts';

/** Says what is written, whatever it hears. */
export function scriptSeat(utterances: readonly Utterance[]): Seat {
  return () => {
    const left = [...utterances];
    return { next: () => Promise.resolve(left.shift()) };
  };
}

/** A script that makes these calls, one after the other, and then says something. */
export function scriptOf(
  calls: readonly { readonly name: string; readonly arguments: string }[],
  said: string,
): readonly Utterance[] {
  return [
    ...calls.map((call, index) => ({ text: '', calls: [{ id: `call_${index + 1}`, ...call }] })),
    { text: said, calls: [] },
  ];
}

import { Lists } from '../language/read-lists.ts';

const sum = new Lists(new URL('./data/sums.txt', import.meta.url)).expression('sum', 'g');

/** "Where do the 3,500 euros come from?" asks where the money comes from. */
export function sumsAsMoney(message: string): string {
  return message.replace(sum, 'the money');
}

import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { withoutByteOrderMark } from '../../terminal/byte-order-mark.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { answerLine, type LineAnswer, type LineOptions } from './answer-line.ts';

/** Answers one call, or with `lines` each line of standard input, in order and as soon as it is done. */
export async function answerCalls(
  call: string | undefined,
  lines: boolean,
  options: LineOptions,
): Promise<number> {
  if (!lines) {
    const answer = await answerLine(call ?? '', options);
    await print(answer);
    return answer.ok ? exitCode.ok : exitCode.no;
  }
  // Asked to stop while the computer was being started.
  if (options.signal.aborted) return exitCode.ok;
  const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
  const stop = (): void => input.close();
  options.signal.addEventListener('abort', stop, { once: true });
  for await (const line of input) {
    if (options.signal.aborted) break;
    if (line.trim() === '') continue;
    await print(await answerLine(withoutByteOrderMark(line), options));
  }
  options.signal.removeEventListener('abort', stop);
  return exitCode.ok;
}

async function print(answer: LineAnswer): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) await once(process.stdout, 'drain');
}

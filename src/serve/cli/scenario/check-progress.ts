import { systemClock } from '../../../base/host/clock.ts';
import { LiveLines } from '../../terminal/live-lines.ts';

/** In a terminal the line is written again as often, elsewhere a line comes as seldom. */
const [liveMs, lineMs] = [200, 10_000];

/** Says on standard error what a check is doing, where it takes a while. */
export class CheckProgress {
  readonly #scenario: string;
  readonly #live = new LiveLines(process.stderr);
  #last = systemClock.monotonic();

  constructor(scenario: string) {
    this.#scenario = scenario;
  }

  say(what: string): void {
    const now = systemClock.monotonic();
    if (now - this.#last < (process.stderr.isTTY ? liveMs : lineMs)) return;
    this.#last = now;
    const line = `${this.#scenario}: ${what} …`;
    if (process.stderr.isTTY) this.#live.show([line]);
    else console.error(line);
  }

  clear(): void {
    this.#live.clear();
  }
}

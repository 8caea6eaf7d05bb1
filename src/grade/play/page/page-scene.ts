import { WhetstoneError } from '../../../base/host/errors.ts';
import { canonicalJson } from '../../../base/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Action } from '../../../base/message/action.ts';
import { readActionInput } from '../../../run/computer/action-input.ts';
import { findChromium } from '../../../run/computer/browser/find-chromium.ts';
import { openBrowser } from '../../../run/computer/browser/browser.ts';
import type { Computer } from '../../../run/computer/computer.ts';
import { eventText } from '../../../run/computer/event-text.ts';
import { ComputerSession } from '../../../run/computer/session.ts';
import type { PageWorld } from '../../scenario/task.ts';
import type { CallOutcome, TurnCall } from '../../scenario/transcript.ts';
import { PageServer } from './page-server.ts';

const screen = { width: 1024, height: 768 };
const timeout = 10;
const kept = 'JSON.stringify(globalThis.world ?? {})';

/** A browser with the page of one episode at a time, and what has been done on it. */
export class PageScene implements AsyncDisposable {
  /** Whose page it shows. */
  id: string | undefined;
  #done: string[] = [];
  #server: PageServer | undefined;
  #computer: Computer | undefined;
  #session: ComputerSession | undefined;
  #kept: JsonObject = {};

  static async mustBePossible(): Promise<void> {
    await findChromium(undefined);
  }

  /** Shows the page of an episode as it stands after some calls: as it is, or from its beginning. */
  async bring(id: string, page: PageWorld, done: readonly TurnCall[]): Promise<void> {
    const keys = done.map(keyOf);
    if (this.id === id && keys.join('\n') === this.#done.join('\n')) return;
    await this.#begin(page);
    this.id = id;
    this.#done = [];
    for (const call of done) await this.act(call);
  }

  /** Does what a call asks for, and answers with what came of it. */
  async act(call: TurnCall): Promise<CallOutcome> {
    this.#done.push(keyOf(call));
    const { name } = call;
    let action: Action;
    try {
      action = readActionInput(call.input);
    } catch (error) {
      return { name, output: (error as Error).message, isError: true, page: this.#kept };
    }
    const { failure, texts, effect, events } = await this.#session!.perform({
      actions: [action],
      display: screen,
    });
    if (failure?.code === 'computer_lost' || failure?.code === 'computer_missing')
      throw new WhetstoneError(failure.code, failure.message);
    this.#kept = await this.#read();
    const words = [...texts, ...events.flatMap((event) => eventText(event) ?? []), effect];
    const said = failure?.message ?? (words.filter((each) => each !== undefined).join('\n') || 'OK');
    return {
      name,
      // The port is another one each time.
      output: said.replaceAll(this.#server!.url, ''),
      ...(failure !== undefined && { isError: true }),
      page: this.#kept,
    };
  }

  async #begin(page: PageWorld): Promise<void> {
    this.id = undefined;
    this.#server ??= await PageServer.listen();
    this.#server.show(page);
    const url = `${this.#server.url}/begin`;
    if (this.#computer === undefined) {
      this.#computer = await openBrowser({ url, screen, allow: [] });
      this.#session = new ComputerSession(this.#computer, { timeout });
    } else {
      const { tabs } = this.#computer;
      const { signal } = new AbortController();
      // In a new tab, since references of elements count what a tab has shown.
      const old = await tabs!.list(signal);
      await tabs!.open(signal);
      await tabs!.navigate(url, signal);
      for (const tab of old) await tabs!.close(tab.id, signal);
      this.#computer.takeEvents();
    }
    this.#kept = await this.#read();
  }

  /** What the page keeps; what it kept before where it does not say. */
  async #read(): Promise<JsonObject> {
    const { signal } = new AbortController();
    const told = await this.#computer!.elements!.run(kept, signal).catch(() => undefined);
    if (told === undefined) return this.#kept;
    try {
      const value = JSON.parse(JSON.parse(told) as string) as JsonValue;
      return isJsonObject(value) ? value : {};
    } catch {
      return {};
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#computer?.[Symbol.asyncDispose]();
    this.#server?.[Symbol.dispose]();
  }
}

/** Two calls that ask for the same. */
function keyOf({ name, input }: TurnCall): string {
  return `${name} ${canonicalJson(input)}`;
}

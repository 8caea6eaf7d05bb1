import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';

import { Command } from 'commander';

import { isWhetstoneError } from '../../base/host/errors.ts';
import { readMessages } from '../../base/message/read-message.ts';
import type { Message } from '../../base/message/message.ts';
import type { Model } from '../../base/message/model.ts';
import { programUse } from '../../run/tool/lifecycle.ts';
import type { Outcome } from '../../run/loop/outcome.ts';
import { run } from '../../run/loop/run.ts';
import type { Toolbox } from '../../run/tool/toolbox.ts';
import { toolbox } from '../../run/tool/toolbox.ts';
import { approverAt } from './ask-person.ts';
import type { Ask } from './ask-person.ts';
import { withRun } from './ask.ts';
import type { RunFlags } from './ask.ts';
import { leaveWhenPrinted } from './leave.ts';
import { loadTools } from './load-tools.ts';
import { modelOf, withModel } from './model-option.ts';
import { RunPrinter } from './print-run.ts';

interface ChatFlags extends RunFlags {
  readonly history?: string;
}

const help = `Say something, or:
  /history   the whole history as JSON
  /tools     the tools there are
  /details   show or fold what calls were given and gave back
  /exit      leave (so does Ctrl-D)
Ctrl-C stops the answer that is being given; what was said until then is kept.`;

export function command(): Command {
  const chat = new Command('chat')
    .description('Talk with a model that has tools.')
    .option('--history <file>', 'go on with the history in this file, and keep it there');
  return withRun(withModel(chat)).action(talk);
}

async function talk(flags: ChatFlags): Promise<void> {
  const model = modelOf(flags);
  const tools = flags.tools === undefined ? toolbox() : await loadTools(flags.tools);
  const chat = new Chat(model, tools, flags);
  await chat.talk();
  await programUse.release();
  leaveWhenPrinted();
}

class Chat {
  readonly #model: Model;
  readonly #tools: Toolbox;
  readonly #flags: ChatFlags;
  readonly #lines: Interface;
  readonly #isTerminal = process.stdin.isTTY;
  #details: boolean;
  #messages: readonly Message[];
  #stop: AbortController | undefined;
  /** Who waits for the next line: the chat itself, or a question about a call. */
  #wanted: ((line: string) => void) | undefined;

  constructor(model: Model, tools: Toolbox, flags: ChatFlags) {
    this.#model = model;
    this.#tools = tools;
    this.#flags = flags;
    this.#details = flags.details === true;
    const { history } = flags;
    this.#messages =
      history !== undefined && existsSync(history)
        ? readMessages(JSON.parse(readFileSync(history, 'utf8')))
        : [];
    this.#lines = createInterface({
      input: process.stdin,
      output: process.stderr,
      prompt: '> ',
      terminal: this.#isTerminal,
    });
  }

  /** Reads lines until there are no more, or the person leaves. */
  async talk(): Promise<void> {
    if (this.#isTerminal)
      process.stderr.write(`${this.#model.name}, ${this.#tools.size} tools. /help tells what there is.\n`);
    this.#lines.on('SIGINT', () => this.#interrupt());
    const waiting: string[] = [];
    let wake: (() => void) | undefined;
    const state = { closed: false };
    this.#lines.on('line', (line) => {
      const wanted = this.#wanted;
      this.#wanted = undefined;
      if (wanted !== undefined) return wanted(line);
      waiting.push(line);
      wake?.();
    });
    this.#lines.on('close', () => {
      state.closed = true;
      this.#wanted?.('');
      wake?.();
    });
    for (;;) {
      if (this.#isTerminal) this.#lines.prompt();
      while (waiting.length === 0 && !state.closed) await new Promise<void>((resolve) => (wake = resolve));
      const line = waiting.shift();
      if (line === undefined || (await this.#hear(line.trim())) === 'leave') break;
    }
    this.#lines.close();
  }

  async #hear(line: string): Promise<'leave' | undefined> {
    if (line === '') return undefined;
    if (line === '/exit' || line === '/quit') return 'leave';
    if (line === '/help') process.stderr.write(`${help}\n`);
    else if (line === '/history') process.stdout.write(`${JSON.stringify(this.#messages, null, 2)}\n`);
    else if (line === '/tools') process.stderr.write(`${this.#tools.names.join(', ') || 'none'}\n`);
    else if (line === '/details') this.#details = !this.#details;
    else await this.#answer(line);
    return undefined;
  }

  async #answer(prompt: string): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const onInterrupt = (): void => stop.abort();
    process.once('SIGINT', onInterrupt);
    const json = this.#flags.json === true;
    const printer = new RunPrinter({
      json,
      details: this.#details,
      out: process.stdout,
      err: process.stderr,
    });
    const { system, steps, yes } = this.#flags;
    try {
      const outcome = await run({
        model: this.#model,
        tools: this.#tools,
        messages: this.#messages,
        prompt,
        signal: stop.signal,
        approve: approverAt(this.#isTerminal ? this.#question : undefined, yes === true),
        on: (event) => printer.show(event),
        ...(system !== undefined && { system }),
        ...(steps !== undefined && { limits: { steps } }),
      });
      printer.end();
      this.#keep(outcome.messages);
      if (outcome.stop !== 'done' && outcome.stop !== 'returned') process.stderr.write(`(${outcome.stop})\n`);
    } catch (error) {
      printer.end();
      if (!isWhetstoneError(error) || error.code !== 'model_failed') throw error;
      // The model failed; what was reached stays, and the person may try again.
      process.stderr.write(`whet: ${error.message}\n`);
      this.#keep((error.details['outcome'] as Outcome).messages);
    } finally {
      process.off('SIGINT', onInterrupt);
      this.#stop = undefined;
    }
  }

  #keep(messages: readonly Message[]): void {
    this.#messages = messages;
    const { history } = this.#flags;
    if (history !== undefined) writeFileSync(history, `${JSON.stringify(messages, null, 2)}\n`);
  }

  #interrupt(): void {
    if (this.#stop === undefined) this.#lines.close();
    else this.#stop.abort();
  }

  readonly #question: Ask = (question, signal) =>
    new Promise((resolve, reject) => {
      process.stderr.write(question);
      this.#wanted = resolve;
      signal.addEventListener(
        'abort',
        () => {
          this.#wanted = undefined;
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
}

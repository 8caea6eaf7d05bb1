import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { Command } from 'commander';

import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { readMessages } from '../../base/message/read-message.ts';
import type { Message } from '../../base/message/message.ts';
import type { Model } from '../../base/message/model.ts';
import { programUse } from '../../run/tool/lifecycle.ts';
import type { Outcome } from '../../run/loop/outcome.ts';
import { run } from '../../run/loop/run.ts';
import type { Toolbox } from '../../run/tool/toolbox.ts';
import { toolbox } from '../../run/tool/toolbox.ts';
import { approverAt } from '../terminal/ask-person.ts';
import type { Ask } from '../terminal/ask-person.ts';
import { withRun } from './ask.ts';
import type { RunFlags } from './ask.ts';
import { folderMustBe } from '../terminal/option/data-option.ts';
import { leaveWhenPrinted } from '../terminal/leave.ts';
import { loadTools } from '../terminal/load-tools.ts';
import { modelOf, withModel } from '../terminal/option/model-option.ts';
import { PersonLines } from '../terminal/person-lines.ts';
import { RunPrinter } from '../terminal/print-run.ts';

interface ChatFlags extends RunFlags {
  readonly history?: string;
}

const commands = 'The commands are /history, /tools, /details, /help and /exit.';
const help = `Say something, or:
  /history   the whole history as JSON
  /tools     the tools there are
  /details   show or hide the arguments and results of calls
  /exit      leave (so do Ctrl-D, and Ctrl-C twice)
Ctrl-C stops the current answer; what was said until then is kept.`;

export function command(): Command {
  const chat = new Command('chat')
    .description('Talk with a model that has tools.')
    .option('--history <file>', 'continue the history in this file, and keep it there');
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
  readonly #lines: PersonLines;
  #details: boolean;
  #messages: readonly Message[];
  #stop: AbortController | undefined;
  /** Ctrl-C was pressed at an empty prompt: once more leaves. */
  #isLeaving = false;

  constructor(model: Model, tools: Toolbox, flags: ChatFlags) {
    this.#model = model;
    this.#tools = tools;
    this.#flags = flags;
    this.#details = flags.details === true;
    this.#messages = readHistory(flags.history);
    // Last: it holds standard input open, and with it the process.
    this.#lines = new PersonLines(() => this.#interrupt());
  }

  /** Reads lines until there are no more, or the person leaves. */
  async talk(): Promise<void> {
    if (this.#lines.isTerminal) {
      const [count, said] = [this.#tools.size, this.#messages.length];
      const tools = `${count} ${count === 1 ? 'tool' : 'tools'}`;
      const before = said === 0 ? '' : `, continuing after ${said} messages`;
      console.error(`${this.#model.name}, ${tools}${before}. /help lists the commands.`);
    }
    for (;;) {
      const line = await this.#lines.next();
      this.#isLeaving = false;
      if (line === undefined || (await this.#hear(line.trim())) === 'leave') break;
    }
    this.#lines.close();
  }

  async #hear(line: string): Promise<'leave' | undefined> {
    if (line === '') return undefined;
    if (line === '/exit' || line === '/quit') return 'leave';
    if (line === '/help') console.error(help);
    else if (line === '/history') console.log(JSON.stringify(this.#messages, null, 2));
    else if (line === '/tools') console.error(this.#tools.names.join(', ') || 'There are no tools.');
    else if (line === '/details') {
      this.#details = !this.#details;
      console.error(this.#details ? 'Details are shown.' : 'Details are folded.');
    } else if (/^\/\w+$/.test(line)) console.error(`There is no ${line}. ${commands}`);
    else await this.#answer(line);
    return undefined;
  }

  async #answer(prompt: string): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const onInterrupt = (): void => stop.abort();
    process.once('SIGINT', onInterrupt);
    const printer = new RunPrinter({
      json: this.#flags.json === true,
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
        approve: approverAt(this.#lines.isTerminal ? this.#ask(printer) : undefined, yes === true),
        on: (event) => printer.show(event),
        ...(system !== undefined && { system }),
        ...(steps !== undefined && { limits: { steps } }),
      });
      if (outcome.stop === 'returned' && this.#flags.json !== true) process.stdout.write(`${outcome.text}\n`);
      printer.end();
      this.#keep(outcome.messages);
      if (outcome.stop !== 'done' && outcome.stop !== 'returned') console.error(`(${outcome.stop})`);
    } catch (error) {
      printer.end();
      if (!isWhetstoneError(error) || error.code !== 'model_failed') throw error;
      // The model failed; what was reached stays, and the person may try again.
      console.error(`whet: ${error.message}`);
      this.#keep((error.details['outcome'] as Outcome).messages);
    } finally {
      process.off('SIGINT', onInterrupt);
      this.#stop = undefined;
    }
  }

  #ask(printer: RunPrinter): Ask {
    return (question, signal) => {
      printer.end();
      return this.#lines.ask(question, signal);
    };
  }

  #keep(messages: readonly Message[]): void {
    this.#messages = messages;
    const { history } = this.#flags;
    if (history === undefined) return;
    // A process that ends in the middle of writing must not leave half a history.
    writeFileSync(`${history}.new`, `${JSON.stringify(messages, null, 2)}\n`);
    renameSync(`${history}.new`, history);
  }

  /** Stops the answer; at the prompt takes back what was typed, and leaves when it is pressed twice. */
  #interrupt(): void {
    if (this.#stop !== undefined) {
      if (this.#stop.signal.aborted) this.#lines.close();
      else this.#stop.abort();
      return;
    }
    if (this.#isLeaving) return this.#lines.close();
    if (this.#lines.clear()) return;
    this.#isLeaving = true;
    console.error('\nPress Ctrl-C once more to leave, or Ctrl-D.');
    this.#lines.promptAgain();
  }
}

function readHistory(file: string | undefined): readonly Message[] {
  if (file === undefined) return [];
  folderMustBe(file);
  if (!existsSync(file)) return [];
  let history: unknown;
  try {
    history = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new WhetstoneError(
      'usage',
      `${file} holds no history: it is not JSON (${(cause as Error).message}). Name another file, or move this one away.`,
      { cause },
    );
  }
  return readMessages(history);
}

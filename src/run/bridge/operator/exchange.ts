import { systemClock } from '../../../base/host/clock.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { EpisodeTool, SeatTool, TurnAnswered, TurnMessage } from './episode.ts';

interface Asked {
  readonly name: string;
  readonly input: JsonValue;
  /** Of a function tool, whose caller waits for what the world answers. */
  readonly answer?: (output: string) => void;
}

/**
 * Turns the calls of an agent in the middle of its reply into turns of the episode. A document or a decision is
 * acknowledged at once and goes with the next turn; a function asks for a turn at once, which its neighbours join.
 */
export class Exchange {
  #asked: Asked[] = [];
  #sent: readonly Asked[] = [];
  #due = Promise.withResolvers<void>();
  #cancel: (() => void) | undefined;
  #over = false;

  /** Settles when a call waits for a turn. */
  get due(): Promise<void> {
    return this.#due.promise;
  }

  tool(tool: EpisodeTool): SeatTool {
    return {
      name: tool.id,
      description: tool.description ?? tool.name,
      input: inputOf(tool),
      call: (input) => this.#call(tool, input),
    };
  }

  /** Everything that was asked since the last turn, with these words. */
  take(content: string): TurnMessage {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#due = Promise.withResolvers();
    this.#sent = this.#asked;
    this.#asked = [];
    const tool_calls = this.#sent.map(({ name, input }) => ({ name, input }));
    return { role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) };
  }

  get hasCalls(): boolean {
    return this.#asked.length > 0;
  }

  /** Hands what the world answered to those who wait for it; `aside` is what the person said meanwhile. */
  answer({ results = [] }: TurnAnswered, aside: string): void {
    const left = [...results];
    const waiting = this.#sent.filter((asked) => asked.answer !== undefined);
    this.#sent = [];
    waiting.forEach(({ name, answer }, index) => {
      const at = left.findIndex((result) => result.name === name);
      const output = at < 0 ? received : left.splice(at, 1)[0]!.output;
      const last = index === waiting.length - 1;
      answer?.(last && aside !== '' ? `${output}\n\nMeanwhile the person said: ${aside}` : output);
    });
  }

  /** The episode is over: anything that still waits or calls is told so. */
  close(): void {
    this.#over = true;
    for (const { answer } of [...this.#sent, ...this.#asked]) answer?.(over);
    this.#cancel?.();
    this.#sent = this.#asked = [];
  }

  #call({ id: name, type }: EpisodeTool, input: JsonValue): Promise<string> {
    if (this.#over) return Promise.resolve(over);
    if (type !== 'function') {
      this.#asked.push({ name, input });
      return Promise.resolve(received);
    }
    return new Promise((answer) => {
      this.#asked.push({ name, input, answer });
      // Calls that an agent makes together arrive within one round of the event loop, and share a turn.
      this.#cancel ??= systemClock.after(0, () => this.#due.resolve(), { keepAlive: true });
    });
  }
}

const received = 'Received.';
const over = 'The episode is over.';

function inputOf(tool: EpisodeTool): JsonObject {
  if (tool.mode === 'json_schema') return tool.json_schema ?? { type: 'object' };
  return {
    type: 'object',
    properties: { value: { type: 'string', enum: tool.options ?? [] } },
    required: ['value'],
    additionalProperties: false,
  };
}

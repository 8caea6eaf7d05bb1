import { tool } from '../tool/define-tool.ts';
import { failCall, invalidArgument } from '../tool/failure.ts';
import { cutBefore, defaultOutputBudget } from '../tool/output.ts';
import type { Toolbox } from '../tool/toolbox.ts';

const most = defaultOutputBudget - 1000;

/** Keeps results that were cut, and makes the tool that reads on in them. It is offered once there is one to read. */
export class ResultReader {
  readonly name: string;
  readonly #tools: Toolbox;
  readonly #kept = new Map<string, string>();
  #withReader: Toolbox | undefined;

  constructor(tools: Toolbox) {
    this.#tools = tools;
    let name = 'read_result';
    while (tools.find(name) !== undefined) name += '_';
    this.name = name;
  }

  get isNeeded(): boolean {
    return this.#kept.size > 0;
  }

  /** The tools of the run and the reader. */
  get box(): Toolbox {
    this.#withReader ??= this.#tools.with(readerTool(this.name, this.#kept));
    return this.#withReader;
  }

  keep(callId: string, whole: string): void {
    this.#kept.set(callId, whole);
  }
}

function readerTool(name: string, kept: ReadonlyMap<string, string>): ReturnType<typeof makeReader> {
  return makeReader(name, kept);
}

function makeReader(name: string, kept: ReadonlyMap<string, string>) {
  return tool({
    name,
    description:
      'Reads on in the result of an earlier call that was too long to be shown whole. Counts in characters from 0.',
    input: {
      type: 'object',
      properties: {
        call_id: { type: 'string', description: 'The id that is shown where the result was cut' },
        from: { type: 'integer', minimum: 0, description: 'The first character wanted' },
        characters: { type: 'integer', minimum: 1, maximum: most, description: `How many; ${most} at most` },
      },
      required: ['call_id', 'from'],
      additionalProperties: false,
    },
    idempotent: true,
    outputBudget: false,
    run: (input) => {
      const whole = kept.get(String(input['call_id']));
      if (whole === undefined)
        return failCall(`No result with this call_id was cut. Known: ${[...kept.keys()].join(', ')}.`);
      const from = Number(input['from']);
      if (from >= whole.length)
        return invalidArgument('from', `a number below ${whole.length}, the length of the result`);
      const characters = Number(input['characters'] ?? most);
      return cutBefore(whole.slice(from), Math.min(characters, most));
    },
  });
}

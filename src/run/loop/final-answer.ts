import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { ModelRequest, Reply } from '../../base/message/model.ts';
import { describeIssues } from '../../base/schema/check/issue.ts';
import type { CallRecord } from '../tool/call/call-record.ts';
import { checkerOf, readSchemaOf } from '../tool/call/check-arguments.ts';
import type { ArgumentChecker } from '../tool/call/check-arguments.ts';
import type { AnyTool, InputSchema } from '../tool/contract.ts';
import { tool } from '../tool/define-tool.ts';
import type { RunEvent } from './event.ts';
import { LiveOutput, readOutput } from './live-output.ts';
import type { OutputRequest } from './option/options.ts';

/** The final answer of a run that must have a shape: asked for, read, checked, and sent back where it does not fit. */
export class FinalAnswer {
  /** Where the answer comes as a call: the tool to call. */
  readonly tool: AnyTool | undefined;
  /** Where the provider has a way of its own: what it is told. */
  readonly request: ModelRequest['output'];
  readonly #name: string;
  readonly #checker: ArgumentChecker;
  #retriesLeft: number;
  #value: unknown;

  constructor(wanted: InputSchema | OutputRequest) {
    const request = isRequest(wanted) ? wanted : { schema: wanted };
    this.#name = request.name ?? 'answer';
    this.#retriesLeft = request.retries ?? 2;
    this.#checker = checkerOf(readSchemaOf(`The output of the run`, request.schema));
    if (request.by === 'call') this.tool = answerTool(this.#name, request.schema);
    else this.request = { name: this.#name, schema: this.#checker.schema };
  }

  get value(): unknown {
    return this.#value;
  }

  /** Follows a reply that may be the answer: takes pieces of its text, and of calls by their name. */
  follow(step: number): (call: string | undefined, text: string) => RunEvent | undefined {
    const live = new LiveOutput(step);
    const carrier = this.tool === undefined ? undefined : this.#name;
    return (call, text) => (call === carrier ? live.push(text) : undefined);
  }

  /** Takes the answer from a call that carried it. */
  take(records: readonly CallRecord[]): boolean {
    const answer = records.find((record) => record.success && record.call.name === this.#name);
    if (this.tool === undefined || answer === undefined) return false;
    this.#value = answer.input;
    return true;
  }

  /** Takes the answer where nothing can be sent back any more: one that does not fit is none. */
  async readLast({ reply, records }: Answered): Promise<void> {
    if (!this.take(records)) await this.#readText(reply);
  }

  /** Reads the answer from a reply; what is wrong with it, in words for the model, when it may try again. */
  async read(reply: Reply): Promise<string | undefined> {
    const wrong = await this.#readText(reply);
    if (wrong === undefined) return undefined;
    if (this.#retriesLeft-- > 0) return wrong;
    throw new WhetstoneError('output_invalid', `The model's final answer does not fit. ${wrong}`, {
      details: { message: reply.message },
    });
  }

  async #readText(reply: Reply): Promise<string | undefined> {
    if (this.tool !== undefined) {
      return `Give your final answer by calling the tool "${this.#name}"; text alone is not read.`;
    }
    const text = reply.message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    let parsed: unknown;
    try {
      parsed = readOutput(text);
    } catch (error) {
      return `Your answer is not JSON (${String((error as Error).message)}). Answer with JSON of the given schema and nothing around it.`;
    }
    const checked = await this.#checker.check(parsed as JsonObject);
    if (!checked.ok) {
      return `Your answer does not fit its schema:\n${describeIssues(checked.issues)}\nAnswer again with these corrected.`;
    }
    this.#value = checked.value;
    return undefined;
  }
}

interface Answered {
  readonly reply: Reply;
  readonly records: readonly CallRecord[];
}

function isRequest(wanted: InputSchema | OutputRequest): wanted is OutputRequest {
  if ('~standard' in wanted || !('schema' in wanted)) return false;
  return typeof wanted.schema === 'function' || isJsonObject(wanted.schema);
}

function answerTool(name: string, schema: InputSchema): AnyTool {
  return tool({
    name,
    description: 'Gives the final answer. Call it once, when everything else is done.',
    input: schema,
    run: () => 'The answer was taken.',
  });
}

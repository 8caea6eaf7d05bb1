import { WhetstoneError } from '../../base/host/errors.ts';
import { textOf as textOfMessage } from '../../base/message/message.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import { readAnswer, readScript } from './read-script.ts';
import type { Asked, MockFunction, MockReply, MockReplyFields, MockScript, MockStep } from './script.ts';

/** Walks through a script and remembers what was asked. */
export class ScriptPlayer {
  readonly asked: Asked[] = [];
  readonly #answer: MockFunction | undefined;
  readonly #onAsked: (asked: Asked) => void;
  #steps: { readonly step: MockStep; left: number }[] = [];

  constructor(script: MockScript, onAsked: (asked: Asked) => void = () => undefined) {
    this.#onAsked = onAsked;
    const read = readScript(script);
    if (typeof read === 'function') this.#answer = read;
    else this.#load(read);
  }

  /** The steps that nothing has asked for yet. */
  get unconsumed(): readonly MockStep[] {
    return this.#steps.filter(({ left }) => left > 0 && left < Infinity).map(({ step }) => step);
  }

  async next(question: Omit<Asked, 'index'>): Promise<MockReplyFields> {
    const asked: Asked = { ...question, index: this.asked.length };
    this.asked.push(asked);
    this.#onAsked(asked);
    const step = this.#answer ?? this.#take(asked);
    const reply = typeof step === 'function' ? await answerOf(step, asked) : step;
    if (typeof reply === 'string') return { text: reply };
    if (reply.then !== undefined) this.#load(reply.then);
    return reply;
  }

  #load(steps: readonly MockStep[]): void {
    this.#steps = steps.map((step) => ({ step, left: typeof step === 'object' ? (step.times ?? 1) : 1 }));
  }

  #take(asked: Asked): MockStep {
    const found = this.#steps.find(({ step, left }) => left > 0 && isMet(step, asked));
    if (found === undefined) {
      const left = this.#steps.filter((each) => each.left > 0).map(({ step }) => step);
      const waiting = left.map((step) => describeStep(step)).slice(0, 3);
      throw new WhetstoneError(
        'mock_exhausted',
        `The script has no reply for request ${asked.index + 1}: "${newest(asked.request).slice(0, 80)}". ` +
          (left.length > 0
            ? `What is left of it waits for something else: ${waiting.join('; ')}${left.length > 3 ? '; …' : ''}.`
            : 'All its replies are used.'),
        { details: { index: asked.index, left: left.length } },
      );
    }
    found.left--;
    return found.step;
  }
}

/** What a function of the script answers; a mistake in it is reported to the caller, since nobody else hears of it. */
async function answerOf(step: MockFunction, asked: Asked): Promise<MockReply> {
  const where = `the answer of the script's function to request ${asked.index + 1}`;
  let answer: unknown;
  try {
    answer = await step(asked);
  } catch (cause) {
    throw new WhetstoneError('mock_script_invalid', `In ${where}: it threw: ${String(cause)}`, { cause });
  }
  return readAnswer(answer, where);
}

/** A step in a few words: what it waits for, and what it would say. */
export function describeStep(step: MockStep): string {
  if (typeof step === 'function') return 'a function';
  if (typeof step === 'string') return `"${step.slice(0, 40)}"`;
  const { when, text, calls, fault } = step;
  const says =
    text !== undefined
      ? `"${text.slice(0, 40)}"`
      : calls !== undefined
        ? `calls of ${calls.map(({ name }) => name).join(', ')}`
        : fault !== undefined
          ? `the fault ${JSON.stringify(fault)}`
          : 'a reply';
  return when === undefined ? says : `${says} when ${JSON.stringify(when)}`;
}

function isMet(step: MockStep, asked: Asked): boolean {
  if (typeof step !== 'object' || step.when === undefined) return true;
  const { contains, system, result, tool, model } = step.when;
  const { messages, tools = [] } = asked.request;
  const last = messages.at(-1);
  return (
    (contains === undefined || includes(newest(asked.request), contains)) &&
    (system === undefined ||
      messages.some((message) => message.role === 'system' && includes(textOfMessage(message), system))) &&
    (result === undefined || (last?.role === 'tool' && last.results.some((each) => each.name === result))) &&
    (tool === undefined || tools.some((each) => each.name === tool)) &&
    (model === undefined || asked.model === model)
  );
}

function newest(request: ModelRequest): string {
  const last = request.messages.at(-1);
  return last === undefined ? '' : textOfMessage(last);
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

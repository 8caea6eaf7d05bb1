import type { Random } from '../src/base/host/random.ts';
import type { Call } from '../src/base/message/call.ts';
import { completePartial } from '../src/base/message/complete.ts';
import { partialCall, partialMessage, partialText } from '../src/base/message/partial-message.ts';
import type { PartialPart } from '../src/base/message/partial-message.ts';
import { noResultRecorded } from '../src/base/message/check-history.ts';
import { localCallsOf } from '../src/base/message/message.ts';
import type { AssistantMessage, Message, UserMessage } from '../src/base/message/message.ts';
import type { AssistantPart, ResultPart } from '../src/base/message/part.ts';
import type { Result } from '../src/base/message/result.ts';

/**
 * Makes histories as sessions leave them behind, then breaks them as crashes, retries, hand-written stores and merged
 * threads do. Every kind of part comes; what a model wrote comes from any API, or from nobody.
 */
export class BrokenHistories {
  readonly #random: Random;
  readonly #apis: readonly string[];
  /** How often each fault was made, so that a test can see that all were. */
  readonly faults = new Map<string, number>();
  #calls = 0;
  /** The reply that is being made comes from an API that is asked later. */
  #own = false;

  constructor(random: Random, apis: readonly string[]) {
    this.#random = random;
    this.#apis = apis;
  }

  next(): readonly Message[] {
    this.#calls = 0;
    const messages: Message[] = [];
    if (this.#chance(0.4)) messages.push({ role: 'system', content: 'Be brief.' });
    for (let turn = 1 + this.#below(3); turn > 0; turn--) {
      messages.push(this.#user());
      for (let step = this.#below(4); step > 0; step--) this.#step(messages);
    }
    for (let count = this.#below(4); count > 0; count--) this.#breakOnce(messages);
    return messages;
  }

  #step(messages: Message[]): void {
    const reply = this.#reply();
    messages.push(reply);
    const results = localCallsOf(reply).map((call) => this.#result(call));
    if (results.length === 0) return;
    const cut = this.#chance(0.3) ? this.#below(results.length) : 0;
    if (cut > 0) messages.push({ role: 'tool', results: results.slice(0, cut) });
    messages.push({ role: 'tool', results: results.slice(cut) });
  }

  #user(): UserMessage {
    return this.#pick<() => UserMessage>([
      () => ({ role: 'user', content: 'Go on.' }),
      () => ({ role: 'user', content: [{ type: 'text', text: 'Look.' }, picture] }),
      () => ({
        role: 'user',
        content: [
          { type: 'document', source: { kind: 'text', text: 'A letter.' }, title: 'Letter' },
          { type: 'text', text: 'Read.' },
        ],
      }),
    ])();
  }

  #reply(): AssistantMessage {
    const api = this.#pick([undefined, 'somebody', ...this.#apis]);
    const from = api === undefined ? {} : { from: { api, model: 'm' } };
    this.#own = this.#apis.includes(api ?? '');
    // Gemini's calls come whole, each with its signature.
    const isGemini = /gemini$/.test(api ?? '');
    if (this.#chance(0.3) && !isGemini) return { ...this.#halfArrived(), ...from };
    const content = Array.from({ length: this.#below(5) }, () => this.#parts()).flat();
    return { role: 'assistant', content, ...from };
  }

  /** A reply that broke off, or was completed in spite of what was missing. */
  #halfArrived(): AssistantMessage {
    const parts: PartialPart[] = [];
    for (let slot = 0; slot < this.#below(4); slot++)
      parts.push(
        this.#pick<() => PartialPart>([
          () => partialText(this.#pick(['', 'Let me'])),
          () => partialText(this.#pick(['', 'Hm']), { type: 'reasoning' }),
          () => partialCall({ slot, id: this.#id(), name: 'look', argumentsText: '{"at": "th' }),
          () => partialCall({ slot, id: this.#id(), name: 'look', argumentsText: '{}', ended: true }),
          () => partialCall({ slot, id: this.#id() }),
          () => partialCall({ slot, name: 'look' }),
        ])(),
      );
    return completePartial(partialMessage(parts), { cut: true });
  }

  #parts(): readonly AssistantPart[] {
    return this.#pick<() => readonly AssistantPart[]>([
      () => [{ type: 'text', text: 'I look.' }],
      () => [{ type: 'text', text: this.#pick(['', ' \n', 'half \ud83d', '\udc00 of a character']) }],
      () => [{ type: 'reasoning', text: 'Where was it?' }],
      () => [this.#thought()],
      () => [{ type: 'refusal', text: 'I will not.' }],
      () => [{ type: 'image', source: picture.source }],
      () => [{ type: 'other', api: this.#pick(this.#apis), raw: { type: 'unknown_block', value: 1 } }],
      () => [this.#call({})],
      () => [this.#call({ arguments: '{"at":"home"}' }), this.#call({})],
      () => [
        this.#call({ arguments: '{"at": ', invalid: { reason: 'not-json', message: 'It ends early.' } }),
      ],
      () => [this.#call({ kind: 'custom', arguments: 'free text' })],
      () => (this.#own ? [] : this.#foreign()),
    ])();
  }

  /** What a model thought, with what its provider wants back; a stream that broke off leaves that empty. */
  #thought(): AssistantPart {
    const signature = this.#pick(['c2ln', '']);
    const providerData = Object.fromEntries(this.#apis.map((api) => [api, { signature }]));
    return { type: 'reasoning', text: 'Hm.', providerData };
  }

  /** What an API only takes back as it gave it, with its opaque data. */
  #foreign(): readonly AssistantPart[] {
    return this.#pick<() => readonly AssistantPart[]>([
      () => [this.#call({ kind: 'computer', name: 'computer', actions: [{ type: 'screenshot' }] })],
      () => {
        const call = this.#call({ name: 'web_search', requiresLocalExecution: false });
        const result = { type: 'hosted-result', callId: call.id, name: call.name, content: 'found' } as const;
        return this.#chance(0.7) ? [call, result] : [call];
      },
    ])();
  }

  #call(fields: Partial<Call>): Call {
    return {
      type: 'call',
      id: this.#id(),
      name: 'look',
      arguments: {},
      kind: 'function',
      requiresLocalExecution: true,
      ...(this.#own ? { providerData: { gemini: { thoughtSignature: 'c2ln' } } } : {}),
      ...fields,
    };
  }

  /** Ids as providers give them, and some that others refuse. */
  #id(): string {
    const number = this.#calls++;
    // Some hosts begin anew with every reply.
    if (this.#chance(0.1)) return 'call_0';
    if (this.#own) return `call${String(number).padStart(5, '0')}`;
    return this.#pick([
      `call_${number}`,
      `toolu_${number}`,
      `functions.look:${number}`,
      `${'x'.repeat(50)}${number}`,
    ]);
  }

  #result({ id, name }: Call): Result {
    const content = this.#pick<readonly ResultPart[]>([
      [{ type: 'text', text: 'done' }],
      [{ type: 'text', text: 'seen' }, picture],
      [picture],
      [],
      [{ type: 'text', text: '' }],
      [{ type: 'text', text: '\udfff' }],
    ]);
    if (this.#chance(0.2))
      return { callId: id, name, content: [{ type: 'text', text: 'failed' }], isError: true };
    if (this.#chance(0.1))
      return {
        callId: id,
        name,
        content: [{ type: 'text', text: 'nothing' }],
        isError: true,
        errorCode: noResultRecorded,
      };
    return { callId: id, name, content };
  }

  #breakOnce(messages: Message[]): void {
    const at = this.#below(messages.length);
    const message = messages[at];
    const other = this.#below(messages.length + 1);
    const faults: Readonly<Record<string, () => void>> = {
      'a message is lost': () => void messages.splice(at, 1),
      'a message comes twice': () => void (message && messages.splice(other, 0, message)),
      'a message moves': () =>
        void messages.splice(Math.min(other, messages.length - 1), 0, ...messages.splice(at, 1)),
      'the end is lost': () => void messages.splice(at + 1),
      'somebody speaks in between': () => void messages.splice(at, 0, this.#user()),
      'a system message is in between': () =>
        void messages.splice(at, 0, { role: 'system', content: 'Now be long.' }),
      'a tool message is empty': () => void messages.splice(at, 0, { role: 'tool', results: [] }),
      'a reply is empty': () => void messages.splice(at, 0, { role: 'assistant', content: [] }),
      'results change': () => {
        if (message?.role !== 'tool') return;
        const results = [...message.results];
        const which = this.#below(results.length);
        this.#pick([
          () => void results.splice(which, 1),
          () => void results.push(...results.slice(which)),
          () => void results.reverse(),
          () =>
            void results.push({ callId: 'nobody', name: 'look', content: [{ type: 'text', text: 'stray' }] }),
        ])();
        messages[at] = { role: 'tool', results };
      },
    };
    const name = this.#pick(Object.keys(faults));
    faults[name]?.();
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
  }

  #below(most: number): number {
    return Math.floor(this.#random() * most);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }
}

const picture = {
  type: 'image',
  source: { kind: 'base64', data: 'iVBORw0KGgoAAAANSUhEUg==', mediaType: 'image/png' },
} as const;

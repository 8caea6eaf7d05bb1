import { requireDict } from '../python/field.ts';
import { str } from '../python/repr.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { PlayedTask, Sides } from '../seat/playable.ts';
import type { Heard, Speaker, SpeakerTool, SpokenCall } from '../seat/speaker.ts';
import type { Environment, Side } from './environment.ts';
import type { Domain } from './folder.ts';
import { beginTask } from './grade.ts';
import { argumentsOf, dictOf, messageOf, mostErrors, mostSteps, saying, stops, toolsOf } from './message.ts';
import { spokenTools } from './spoken/domains.ts';
import { readTask } from './task.ts';

const greeting = 'Hi! How can I help you today?';

/** One conversation on fresh data. */
export class Conversation {
  readonly #messages: PythonValue[];
  readonly #environment: Environment;
  readonly #briefs: Readonly<Record<Side, { system: string; tools: readonly SpeakerTool[] }>>;
  #errors = 0;

  constructor(domainName: string, domain: Domain, written: PythonDict) {
    const { agent, user } = spokenTools[domainName]!;
    this.#environment = domain.start({ name: 'played', isSolo: false });
    beginTask(this.#environment, readTask(written));
    const hasTools = Object.keys(user).length > 0;
    const scenario = scenarioOf(written);
    this.#messages = historyOf(written);
    this.#briefs = {
      assistant: { system: agentPrompt(domain.policy()), tools: toolsOf(agent) },
      user: {
        system: `${domain.guidelines(hasTools) ?? personPrompt(hasTools)}\n\n<scenario>\n${scenario}\n</scenario>`,
        tools: toolsOf(user),
      },
    };
  }

  async play({
    agent: agentSeat,
    person: personSeat,
  }: Sides): Promise<
    Pick<PlayedTask, 'turns'> & { readonly reason: string; readonly messages: PythonValue[] }
  > {
    const agent = agentSeat(this.#briefs.assistant);
    const person = personSeat?.(this.#briefs.user) ?? { next: () => Promise.resolve(saying(stops[0]!)) };
    const speakers: Readonly<Record<Side, Speaker>> = { assistant: agent, user: person };
    const first = this.#begin();
    let { side } = first;
    let heard: Heard = { words: first.words };
    let turns = 0;
    const end = (reason: string) => ({ turns, reason, messages: this.#messages });
    try {
      for (let step = 1; step <= mostSteps; step++) {
        if (side === 'assistant') turns += 1;
        const said = await speakers[side].next(heard);
        if (said === undefined) return end(side === 'user' ? 'user_error' : 'agent_error');
        const calls = said.calls.map((call) => ({ call, kwargs: argumentsOf(call) }));
        this.#messages.push(messageOf(side, said));
        if (calls.length > 0) {
          heard = { results: calls.map(({ call, kwargs }) => this.#run(side, call, kwargs)) };
          step += 1;
          if (this.#errors >= mostErrors) return end('too_many_errors');
          continue;
        }
        if (side === 'user' && stops.some((stop) => said.text.includes(stop))) return end('user_stop');
        heard = { words: said.text };
        side = side === 'user' ? 'assistant' : 'user';
      }
      return end('max_steps');
    } finally {
      agent.end?.();
      person.end?.();
    }
  }

  /** Whose turn it is, and what they hear: the agent greets, or a task begins in the middle. */
  #begin(): { side: Side; words: string } {
    if (this.#messages.length === 0) {
      this.#messages.push(messageOf('assistant', saying(greeting)));
      return { side: 'user', words: greeting };
    }
    const before = this.#messages.map((each) => each as PythonDict);
    const told = before
      .filter((each) => each.get('role') !== 'tool' && typeof each.get('content') === 'string')
      .map((each) => `${str(each.get('role')!)}: ${str(each.get('content')!)}`);
    const isPersonNext = before.findLast((each) => each.get('role') !== 'tool')?.get('role') === 'assistant';
    return {
      side: isPersonNext ? 'user' : 'assistant',
      words: `What was said so far:\n${told.join('\n')}`,
    };
  }

  #run(side: Side, { id, name }: SpokenCall, kwargs: PythonDict | undefined): string {
    const { content, error } =
      kwargs === undefined
        ? { content: 'Error: the arguments are not a JSON object', error: true }
        : this.#environment.respond({ name, requestor: side, kwargs });
    if (error) this.#errors += 1;
    this.#messages.push(dictOf({ id, role: 'tool', content, requestor: side, error }));
    return content;
  }
}

function historyOf(task: PythonDict): PythonValue[] {
  const state = task.get('initial_state');
  const history = state instanceof Map ? state.get('message_history') : undefined;
  return Array.isArray(history) ? [...history] : [];
}

/** Who the person is and what they want: a text, or the parts that the benchmark has for it. */
function scenarioOf(task: PythonDict): string {
  const scenario = requireDict(task.get('user_scenario'), 'task.user_scenario');
  const persona = scenario.get('persona') ?? null;
  const instructions = scenario.get('instructions') ?? null;
  const parts =
    instructions instanceof Map
      ? [...instructions]
          .filter(([name, value]) => value !== null && name !== 'domain')
          .map(([name, value]) => `${titles[name] ?? name}:\n${str(value)}`)
      : [instructions === null ? '' : str(instructions)];
  return [...(persona === null ? [] : [`Persona:\n${str(persona)}`]), ...parts].join('\n\n');
}

const titles: Readonly<Record<string, string>> = {
  task_instructions: 'How to behave',
  reason_for_call: 'Why you write',
  known_info: 'What you know',
  unknown_info: 'What you do not know',
};

function agentPrompt(policy: string): string {
  return `You are an agent of a company and serve its customers, by the policy below. In each message either write to the customer or call tools, and not both. Do only what the policy allows, and answer with what the tools say.

<policy>
${policy}
</policy>`;
}

function personPrompt(hasTools: boolean): string {
  return `You are a customer who writes to the service of a company. You are not the agent: you are the one who wants something. Who you are and what you want stands in the scenario.
- Write one short message at a time, in your own words, and tell only what is asked for or what the next step needs.
- Know nothing that is not in the scenario${hasTools ? ' or told by your phone' : ''}. Asked for anything else, say that you do not know it.
${hasTools ? '- Your tools are what you can do with your phone. Call one only when the agent asks you to do that, and tell what came of it as it is.\n' : ''}- When all that you want is done, write ###STOP### and nothing else. When you are handed over to another agent, write ###TRANSFER###. When the scenario does not say what you need to go on, write ###OUT-OF-SCOPE###.`;
}

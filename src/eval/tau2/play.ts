import { WhetstoneError } from '../../base/host/errors.ts';
import { listOf, requireDict } from '../python/field.ts';
import { readJson, writeJson } from '../python/json.ts';
import { str } from '../python/repr.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { PlayableBenchmark, PlayedTask, Sides, TaskChoice } from '../seat/playable.ts';
import { scriptSeat } from '../seat/script-seat.ts';
import type { Heard, Speaker, SpeakerTool, SpokenCall, Utterance } from '../seat/speaker.ts';
import type { Environment, Side } from './environment.ts';
import { type Domain, domains, openFolder } from './folder.ts';
import { beginTask, tau2Grader } from './grade.ts';
import { claimPromptHash, judgeClaims } from './judge-claims.ts';
import { spokenTools } from './spoken/domains.ts';
import type { SpokenTool } from './spoken/tool.ts';
import { type ExpectedAction, readMessages, readTask } from './task.ts';

/** The benchmark's own limits. */
const mostSteps = 200;
const mostErrors = 10;

const greeting = 'Hi! How can I help you today?';
/** What the person writes when they are done, are handed over, or have nothing to go by. */
const stops = ['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###'];

/** Opens a domain of tau2 to be played. */
export function openTau2Tasks(folder: string, { part: domainName, split }: TaskChoice): PlayableBenchmark {
  const domainOf = openFolder(folder);
  if (domainName === undefined || !Object.hasOwn(domains, domainName))
    throw new WhetstoneError(
      'benchmark_data',
      `tau2 has the domains ${Object.keys(domains).join(', ')}: "domain" is ${domainName === undefined ? 'missing' : `"${domainName}"`}.`,
    );
  const domain = domainOf(domainName);
  const tasks = domain.written(split);
  const grade = tau2Grader(domainOf);
  return {
    name: `tau2/${domainName}`,
    tasks: [...tasks.keys()],
    hasPerson: true,
    needsJudge: (name) => readTask(tasks.get(name)).criteria?.basis.includes('NL_ASSERTION') === true,
    gold: (name) => goldSides(readTask(tasks.get(name)).criteria),
    async play(name, sides) {
      const task = tasks.get(name)!;
      const { messages, turns, reason } = await new Conversation(domainName, domain, task).play(sides);
      const line = writeJson(
        new Map<string, PythonValue>([
          ['id', name],
          ['domain', domainName],
          ['task', task],
          ['messages', messages],
          ['termination_reason', reason],
        ]),
      );
      const { reward, reasons } = grade(line);
      return { reward, reasons, turns, ended: reason, line };
    },
    async judge(line, judge) {
      const played = requireDict(readJson(line), 'line');
      const { criteria } = readTask(played.get('task'));
      const messages = readMessages(listOf(played.get('messages'), 'messages'), 'messages');
      const verdicts = await judgeClaims(criteria?.claims ?? [], messages, judge);
      if ('fault' in verdicts) return verdicts;
      played.set('nl_verdicts', [...verdicts]);
      const judged = writeJson(played);
      const { reward, reasons } = grade(judged);
      return { line: judged, reward: reward ?? 0, reasons, promptHash: claimPromptHash };
    },
  };
}

/** One conversation on fresh data. */
class Conversation {
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

function messageOf(side: Side, { text, calls }: Utterance): PythonDict {
  // A call that cannot be read changes nothing, so it is not among those that are graded.
  const readable = calls.flatMap((call) => {
    const kwargs = argumentsOf(call);
    if (kwargs === undefined) return [];
    return [dictOf({ id: call.id, name: call.name, arguments: kwargs, requestor: side })];
  });
  return dictOf({
    role: side,
    content: text === '' ? null : text,
    tool_calls: readable.length === 0 ? null : readable,
  });
}

function argumentsOf({ arguments: text }: SpokenCall): PythonDict | undefined {
  try {
    return requireDict(readJson(text === '' ? '{}' : text), 'arguments');
  } catch {
    return undefined;
  }
}

function saying(text: string): Utterance {
  return { text, calls: [] };
}

function dictOf(members: Readonly<Record<string, PythonValue>>): PythonDict {
  return new Map(Object.entries(members));
}

function toolsOf(tools: Readonly<Record<string, SpokenTool>>): readonly SpeakerTool[] {
  return Object.entries(tools).map(([name, { description, parameters, optional = {} }]) => ({
    name,
    description,
    input: {
      type: 'object',
      properties: parameters,
      required: Object.keys(parameters).filter((each) => !Object.hasOwn(optional, each)),
    },
  }));
}

/** The task's own actions: each side makes its calls, and says so when the other's turn comes. */
function goldSides(criteria: ReturnType<typeof readTask>['criteria']): Required<Sides> {
  const { actions = [], communicated = [] } = criteria ?? {};
  const agent: Utterance[] = [];
  const person: Utterance[] = [saying('Hello.')];
  const callOf = ({ name, kwargs }: ExpectedAction, index: number): Utterance => ({
    text: '',
    calls: [{ id: `call_${index + 1}`, name, arguments: writeJson(kwargs) }],
  });
  let side: Side = 'assistant';
  for (const [index, action] of actions.entries()) {
    if (action.requestor !== side) {
      (side === 'assistant' ? agent : person).push(
        saying(side === 'assistant' ? 'Please do that.' : 'Done.'),
      );
      side = action.requestor;
    }
    (side === 'assistant' ? agent : person).push(callOf(action, index));
  }
  if (side === 'user') person.push(saying('Done.'));
  agent.push(saying(`All is done. ${communicated.join(' ')}`));
  person.push(saying(stops[0]!));
  return { agent: scriptSeat(agent), person: scriptSeat(person) };
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

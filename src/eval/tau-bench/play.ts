import { WhetstoneError } from '../../base/host/errors.ts';
import { requireDict } from '../python/field.ts';
import { readJson, writeJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { PlayableBenchmark, PlayedTask, Sides, TaskChoice } from '../seat/playable.ts';
import { scriptOf, scriptSeat } from '../seat/script-seat.ts';
import type { Heard, SpokenCall, Utterance } from '../seat/speaker.ts';
import { type Domain, domains } from './domain.ts';
import { openFolder } from './folder.ts';
import { tauBenchGrader } from './grade.ts';
import { terminateTools } from './shared-tools.ts';
import type { Task } from './task.ts';

/** The benchmark's own limit of what an agent says and calls. */
const mostSteps = 30;

const greeting = 'Hi! How can I help you today?';
const stop = '###STOP###';

/** Opens a domain of tau-bench to be played. */
export function openTauBenchTasks(folder: string, { part: domainName }: TaskChoice): PlayableBenchmark {
  const domainOf = openFolder(folder);
  if (domainName === undefined || !Object.hasOwn(domains, domainName))
    throw new WhetstoneError(
      'benchmark_data',
      `tau-bench has the domains ${Object.keys(domains).join(' and ')}: "domain" is ${domainName === undefined ? 'missing' : `"${domainName}"`}.`,
    );
  const domain = domainOf(domainName);
  const grade = tauBenchGrader(domainOf);
  const taskOf = (name: string): Task => domain.tasks.get(Number(name))!;
  return {
    name: `tau-bench/${domainName}`,
    tasks: [...domain.tasks.keys()].map(String),
    hasPerson: true,
    gold: (name) => {
      const { actions, outputs } = taskOf(name);
      // A hand-over would end the episode before the outputs are said, and counts for nothing among the actions.
      const lasting = actions.filter((action) => !terminateTools.has(action.name));
      const calls = lasting.map(({ name: tool, kwargs }) => ({ name: tool, arguments: writeJson(kwargs) }));
      return { agent: scriptSeat(scriptOf(calls, `Done. ${outputs.join(' ')}`)) };
    },
    async play(name, sides) {
      const conversation = await converse(domain, taskOf(name), sides);
      const line = writeJson(
        new Map<string, PythonValue>([
          ['id', name],
          ['domain', domainName],
          ['task', BigInt(name)],
          ['messages', conversation.messages],
        ]),
      );
      const { reward = 0, reasons = [] } = grade(line);
      return { reward, reasons, turns: conversation.turns, ended: conversation.ended, line };
    },
  };
}

async function converse(
  domain: Domain,
  { instruction = '' }: Task,
  { agent: agentSeat, person: personSeat }: Sides,
): Promise<Pick<PlayedTask, 'turns' | 'ended'> & { readonly messages: PythonValue[] }> {
  const { policy, tools } = domain.brief();
  const agent = agentSeat({ system: policy, tools });
  const person = personSeat?.({ system: personPrompt(instruction), tools: [] });
  const call = domain.session();
  const messages: PythonValue[] = [];
  const hear = async (words: string): Promise<string> => {
    // Nobody is there who would go on.
    const answered = (await person?.next({ words }))?.text ?? stop;
    messages.push(entry({ role: 'user', content: answered }));
    return answered;
  };
  try {
    let heard: Heard = { words: person === undefined ? '' : await hear(greeting) };
    for (let turns = 1; turns <= mostSteps; turns++) {
      if (heard.words?.includes(stop) === true) return { messages, turns: turns - 1, ended: 'person' };
      const said = await agent.next(heard);
      if (said === undefined) return { messages, turns, ended: 'agent' };
      const { message, results, isLast } = perform(said, call);
      messages.push(message, ...results.messages);
      if (isLast) return { messages, turns, ended: 'transfer' };
      heard = said.calls.length > 0 ? { results: results.texts } : { words: await hear(said.text) };
    }
    const isOver = heard.words?.includes(stop) === true;
    return { messages, turns: mostSteps, ended: isOver ? 'person' : 'limit' };
  } finally {
    agent.end?.();
  }
}

/** Of calls that are made together the benchmark runs the first, and forgets the others. */
function perform({ text, calls }: Utterance, run: (call: { name: string; kwargs: PythonDict }) => string) {
  const [first, ...others] = calls;
  const notRun = others.map(() => 'Only one call at a time: this one was not run.');
  const said = { message: entry({ role: 'assistant', content: text }), isLast: false };
  if (first === undefined) return { ...said, results: { messages: [], texts: [] } };
  const kwargs = argumentsOf(first);
  if (kwargs === undefined)
    return {
      ...said,
      results: { messages: [], texts: ['Error: the arguments are not a JSON object', ...notRun] },
    };
  const observation = run({ name: first.name, kwargs });
  return {
    message: entry({
      role: 'assistant',
      content: text,
      tool_calls: [
        entry({
          id: first.id,
          type: 'function',
          function: entry({ name: first.name, arguments: first.arguments }),
        }),
      ],
    }),
    isLast: terminateTools.has(first.name),
    results: {
      messages: [
        entry({ role: 'tool', tool_call_id: first.id, name: first.name, content: observation }),
      ] as PythonValue[],
      texts: [observation, ...notRun],
    },
  };
}

function argumentsOf({ arguments: text }: SpokenCall): PythonDict | undefined {
  try {
    return requireDict(readJson(text === '' ? '{}' : text), 'arguments');
  } catch {
    return undefined;
  }
}

function entry(members: Readonly<Record<string, PythonValue>>): PythonDict {
  return new Map(Object.entries(members));
}

function personPrompt(instruction: string): string {
  return `You are a customer who writes to the service of a company. You are not the assistant: you are the one who wants something.

Who you are and what you want:
${instruction}

How you write:
- One short message at a time, in your own words, as this person would write it.
- Do not tell everything at once. Tell what is asked for, or what the next step needs.
- Know nothing that does not stand above. Asked for anything else, say that you do not know it or do not have it at hand.
- Choose, agree and refuse as it stands above, and stay with it.
- When all that you want is done, or it is clear that it will not be, write ${stop} and nothing else.`;
}

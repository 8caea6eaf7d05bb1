import { WhetstoneError } from '../../base/host/errors.ts';
import { listOf, requireDict } from '../python/field.ts';
import { readJson, writeJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { PlayableBenchmark, Sides, TaskChoice } from '../seat/playable.ts';
import { scriptSeat } from '../seat/script-seat.ts';
import type { Utterance } from '../seat/speaker.ts';
import { Conversation } from './conversation.ts';
import type { Side } from './environment.ts';
import { domains, openFolder } from './folder.ts';
import { tau2Grader } from './grade.ts';
import { claimPromptHash, judgeClaims } from './judge-claims.ts';
import { saying, stops } from './message.ts';
import { doneTool, playSolo } from './solo.ts';
import { type ExpectedAction, readMessages, readTask } from './task.ts';

/** Opens a domain of tau2 to be played. */
export function openTau2Tasks(
  folder: string,
  { part: domainName, split, isSolo = false }: TaskChoice,
): PlayableBenchmark {
  const domainOf = openFolder(folder);
  if (domainName === undefined || !Object.hasOwn(domains, domainName))
    throw new WhetstoneError(
      'benchmark_data',
      `tau2 has the domains ${Object.keys(domains).join(', ')}: "domain" is ${domainName === undefined ? 'missing' : `"${domainName}"`}.`,
    );
  const domain = domainOf(domainName);
  const tasks = isSolo ? withTickets(domain.written(split), domainName) : domain.written(split);
  const grade = tau2Grader(domainOf);
  return {
    name: `tau2/${domainName}${isSolo ? '/solo' : ''}`,
    tasks: [...tasks.keys()],
    hasPerson: !isSolo,
    needsJudge: (name) => readTask(tasks.get(name)).criteria?.basis.includes('NL_ASSERTION') === true,
    gold: (name) => goldSides(readTask(tasks.get(name)).criteria, isSolo),
    async play(name, sides) {
      const task = tasks.get(name)!;
      const { messages, turns, reason } = isSolo
        ? await playSolo(domainName, domain, { task, seat: sides.agent })
        : await new Conversation(domainName, domain, task).play(sides);
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

/** Those that say in a ticket what is wanted, for there is nobody to ask. */
function withTickets(
  tasks: ReadonlyMap<string, PythonDict>,
  domainName: string,
): ReadonlyMap<string, PythonDict> {
  const found = new Map([...tasks].filter(([, task]) => typeof task.get('ticket') === 'string'));
  if (found.size > 0) return found;
  throw new WhetstoneError(
    'benchmark_data',
    `No task of tau2's ${domainName} has a ticket, which says what to do when there is nobody to ask: leave "solo" out.`,
  );
}

/** The task's own actions: each side makes its calls, and says so when the other's turn comes; alone, one makes all. */
function goldSides(criteria: ReturnType<typeof readTask>['criteria'], isSolo: boolean): Sides {
  const { actions = [], communicated = [] } = criteria ?? {};
  const agent: Utterance[] = [];
  const person: Utterance[] = [saying('Hello.')];
  const callOf = ({ name, kwargs }: ExpectedAction, index: number): Utterance => ({
    text: '',
    calls: [{ id: `call_${index + 1}`, name, arguments: writeJson(kwargs) }],
  });
  if (isSolo) {
    const done: Utterance = { text: '', calls: [{ id: 'done', name: doneTool.name, arguments: '{}' }] };
    return { agent: scriptSeat([...actions.map(callOf), done]) };
  }
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

import { PythonException } from '../python/exception.ts';
import { listOf, requireDict, requireText, wrong } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import { equal, type PythonDict } from '../python/value.ts';
import { type Call, differences, type Environment, type Side } from './environment.ts';
import { type Domain, domains, openFolder } from './folder.ts';
import {
  type Criteria,
  type ExpectedAction,
  type Message,
  readMessages,
  readTask,
  type RewardPart,
  type Task,
} from './task.ts';

/** Every check that was made, whether or not the reward rests on it. */
export interface Tau2Checks {
  readonly db: boolean;
  readonly env_assertions: readonly boolean[];
  readonly actions: readonly boolean[];
  readonly communicate: readonly boolean[];
}

/** The answer to one line. */
export interface Tau2Grade {
  readonly id: string;
  /** `null` where a part needs a judge and no other part is 0. */
  readonly reward: 0 | 1 | null;
  readonly basis: Readonly<Partial<Record<RewardPart, 0 | 1 | null>>>;
  readonly checks?: Tau2Checks;
  readonly reasons: readonly string[];
}

/** Opens the data of tau2: the answer to a line is a function of its text. */
export function openTau2(folder: string): (line: string) => Tau2Grade {
  return tau2Grader(openFolder(folder));
}

export function tau2Grader(domainOf: (name: string) => Domain): (line: string) => Tau2Grade {
  return (text) => {
    const line = requireDict(readJson(text), 'line');
    const id = requireText(line.get('id'), 'id');
    const name = requireText(line.get('domain'), 'domain');
    if (!Object.hasOwn(domains, name)) wrong(name, 'domain', `one of ${Object.keys(domains).join(', ')}`);
    const domain = domainOf(name);
    const task = taskOf(line, domain);
    const messages = readMessages(listOf(line.get('messages'), 'messages'), 'messages');
    const reason = requireText(line.get('termination_reason'), 'termination_reason');
    if (reason !== 'agent_stop' && reason !== 'user_stop') {
      return { id, reward: 0, basis: {}, reasons: [`The simulation was cut short: ${reason}.`] };
    }
    if (task.criteria === undefined) return { id, reward: 1, basis: {}, reasons: [] };
    const verdicts = verdictsOf(line, task.criteria);
    return { id, ...gradeSimulation(domain, task, task.criteria, { messages, verdicts }) };
  };
}

/** What a judge said of the claims in plain words, where it was asked before. */
function verdictsOf(line: PythonDict, { claims }: Criteria): readonly boolean[] | undefined {
  const given = line.get('nl_verdicts') ?? null;
  if (given === null) return undefined;
  const verdicts = listOf(given, 'nl_verdicts');
  if (verdicts.length !== claims.length || !verdicts.every((each) => typeof each === 'boolean'))
    return wrong(given, 'nl_verdicts', `a list of ${claims.length} times true or false`);
  return verdicts;
}

function taskOf(line: PythonDict, domain: Domain): Task {
  const task = line.get('task');
  return task === undefined ? domain.task(requireText(line.get('task_id'), 'task_id')) : readTask(task);
}

function gradeSimulation(
  domain: Domain,
  task: Task,
  criteria: Criteria,
  {
    messages,
    verdicts,
  }: { readonly messages: readonly Message[]; readonly verdicts: readonly boolean[] | undefined },
): Omit<Tau2Grade, 'id'> {
  const reasons: string[] = [];
  const { db, assertions } = checkWorld(domain, task, criteria, messages, reasons);
  const calls = messages.flatMap((message) => message.calls);
  const actions = (criteria.actions ?? []).map((action) => calls.some((call) => meets(call, action)));
  const said = messages
    .filter(({ role }) => role === 'assistant')
    .map(({ text = '' }) => text.toLowerCase().replaceAll(',', ''));
  const communicate = criteria.communicated.map((each) =>
    said.some((text) => text.includes(each.toLowerCase())),
  );
  for (const [index, isMet] of actions.entries()) {
    if (!isMet) reasons.push(`No call meets the action “${criteria.actions![index]!.name}”.`);
  }
  for (const [index, isSaid] of communicate.entries()) {
    if (!isSaid) reasons.push(`Not said to the person: “${criteria.communicated[index]}”.`);
  }
  for (const [index, holds] of (verdicts ?? []).entries()) {
    if (!holds) reasons.push(`The judge does not find: “${criteria.claims[index]}”.`);
  }
  const parts: Readonly<Record<RewardPart, boolean | null>> = {
    DB: db,
    ENV_ASSERTION: assertions.every(Boolean),
    ACTION: actions.every(Boolean),
    COMMUNICATE: communicate.every(Boolean),
    NL_ASSERTION: verdicts === undefined ? null : verdicts.every(Boolean),
  };
  const basis: Partial<Record<RewardPart, 0 | 1 | null>> = {};
  for (const part of criteria.basis) basis[part] = parts[part] === null ? null : parts[part] ? 1 : 0;
  const values = Object.values(basis);
  const reward = values.includes(0) ? 0 : values.includes(null) ? null : 1;
  return { reward, basis, checks: { db, env_assertions: assertions, actions, communicate }, reasons };
}

function checkWorld(
  domain: Domain,
  task: Task,
  criteria: Criteria,
  messages: readonly Message[],
  reasons: string[],
): { readonly db: boolean; readonly assertions: readonly boolean[] } {
  // With neither there is nothing to compare, and the official grader runs nothing.
  if (criteria.actions === undefined && criteria.assertions === undefined)
    return { db: true, assertions: [] };
  const isSolo = !messages.some(({ role }) => role === 'user');
  const played = domain.start({ name: 'played', isSolo });
  const expected = domain.start({ name: 'expected', isSolo: false });
  prepare(played, task, messages);
  prepare(expected, task, task.history);
  for (const action of criteria.actions ?? []) attempt(() => expected.perform(action));
  const places = [
    ...differences(played.world.agent, expected.world.agent),
    ...differences(played.world.user, expected.world.user),
  ];
  if (places.length > 0) {
    reasons.push(
      `The data differ from those after the task's own actions, in: ${places.slice(0, 6).join(', ')}.`,
    );
  }
  const assertions = (criteria.assertions ?? []).map(({ side, name, kwargs, expected: wanted }) => {
    const isMet = attempt(() => played.call(side, name, kwargs)) === wanted;
    if (!isMet) reasons.push(`The assertion “${name}” does not hold.`);
    return isMet;
  });
  return { db: places.length === 0, assertions };
}

/** The data with which a task begins. */
export function beginTask(environment: Environment, { data, preparation, history }: Task): void {
  beginData(environment, { data, preparation });
  replayAll(environment, history);
}

function prepare(environment: Environment, task: Task, messages: readonly Message[]): void {
  beginData(environment, task);
  replayAll(environment, messages);
}

function beginData(
  environment: Environment,
  { data, preparation }: Pick<Task, 'data' | 'preparation'>,
): void {
  overlay(environment, 'assistant', data.agent);
  overlay(environment, 'user', data.user);
  for (const { side, name, kwargs } of preparation) attempt(() => environment.call(side, name, kwargs));
}

function replayAll(environment: Environment, messages: readonly Message[]): void {
  for (const { calls } of messages) for (const call of calls) environment.replay(call);
  attempt(() => environment.sync());
}

function overlay(environment: Environment, side: Side, data: PythonDict | undefined): void {
  if (data === undefined) return;
  try {
    environment.overlay(side, data);
  } catch (cause) {
    if (!(cause instanceof PythonException)) throw cause;
    const member = side === 'user' ? 'user_data' : 'agent_data';
    wrong(data, `task.initial_state.initialization_data.${member}`, 'data of the domain');
  }
}

/** What is raised changes nothing further, and takes nothing back. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof PythonException) return undefined;
    throw error;
  }
}

/** Whether a call is the expected one, in the arguments that count. */
function meets(call: Call, action: ExpectedAction): boolean {
  if (call.name !== action.name) return false;
  const names = action.compared ?? [...call.kwargs.keys()];
  return names.every((name) => {
    const given = call.kwargs.get(name);
    const wanted = action.kwargs.get(name);
    return given === undefined || wanted === undefined ? given === wanted : equal(given, wanted);
  });
}

import { listOf, requireDict, requireText, wrong } from '../python/field.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { Call, Side } from './environment.ts';

/** A call of a function that prepares or checks. */
export interface FunctionCall {
  readonly side: Side;
  readonly name: string;
  readonly kwargs: PythonDict;
}

/** A call that a good simulation makes. */
export interface ExpectedAction extends Call {
  /** The arguments that count; where it is absent, those of the call that is compared. */
  readonly compared?: readonly string[];
}

/** The parts that a reward can rest on. */
const rewardParts = ['DB', 'ENV_ASSERTION', 'ACTION', 'COMMUNICATE', 'NL_ASSERTION'] as const;

/** A part that a reward can rest on. */
export type RewardPart = (typeof rewardParts)[number];

/** What grading needs of a task of tau2. */
export interface Task {
  readonly data: { readonly agent?: PythonDict; readonly user?: PythonDict };
  readonly preparation: readonly FunctionCall[];
  readonly history: readonly Message[];
  /** Absent where the task has nothing to be graded by. */
  readonly criteria?: Criteria;
}

/** What a simulation is graded by; `undefined` is not the same as an empty list. */
export interface Criteria {
  readonly actions: readonly ExpectedAction[] | undefined;
  readonly assertions: readonly (FunctionCall & { readonly expected: boolean })[] | undefined;
  readonly communicated: readonly string[];
  /** Claims in plain words, which only a judge can tell. */
  readonly claims: readonly string[];
  readonly basis: readonly RewardPart[];
}

/** A message of a simulation, as far as it is graded. */
export interface Message {
  readonly role: string;
  readonly text?: string;
  readonly calls: readonly Call[];
}

/** A task, as a results file or the benchmark's own folder writes it. */
export function readTask(value: PythonValue | undefined): Task {
  const task = requireDict(value, 'task');
  const state = optionalDict(task, 'initial_state', 'task');
  const at = 'task.initial_state';
  const data = optionalDict(state, 'initialization_data', at);
  const agent = optionalDict(data, 'agent_data', `${at}.initialization_data`);
  const user = optionalDict(data, 'user_data', `${at}.initialization_data`);
  const criteria = optionalDict(task, 'evaluation_criteria', 'task');
  return {
    data: { ...(agent && { agent }), ...(user && { user }) },
    preparation: (optionalList(state, 'initialization_actions', at) ?? []).map((each, index) =>
      readFunction(each, `${at}.initialization_actions[${index}]`),
    ),
    history: readMessages(optionalList(state, 'message_history', at) ?? [], `${at}.message_history`),
    ...(criteria && { criteria: readCriteria(criteria) }),
  };
}

function readCriteria(criteria: PythonDict): Criteria {
  const at = 'task.evaluation_criteria';
  const actions = optionalList(criteria, 'actions', at);
  const assertions = optionalList(criteria, 'env_assertions', at);
  const basis = optionalList(criteria, 'reward_basis', at) ?? ['DB', 'COMMUNICATE'];
  return {
    actions: actions?.map((each, index) => readAction(each, `${at}.actions[${index}]`)),
    assertions: assertions?.map((each, index) => {
      const where = `${at}.env_assertions[${index}]`;
      const expected = requireDict(each, where).get('assert_value') ?? true;
      if (typeof expected !== 'boolean') return wrong(expected, `${where}.assert_value`, 'true or false');
      return { ...readFunction(each, where), expected };
    }),
    communicated: (optionalList(criteria, 'communicate_info', at) ?? []).map((each, index) =>
      requireText(each, `${at}.communicate_info[${index}]`),
    ),
    claims: (optionalList(criteria, 'nl_assertions', at) ?? []).map((each, index) =>
      requireText(each, `${at}.nl_assertions[${index}]`),
    ),
    basis: basis.map((each, index) => {
      const part = rewardParts.find((known) => known === each);
      return part ?? wrong(each, `${at}.reward_basis[${index}]`, `one of ${rewardParts.join(', ')}`);
    }),
  };
}

function readFunction(value: PythonValue, where: string): FunctionCall {
  const call = requireDict(value, where);
  return {
    side: readSide(call.get('env_type'), `${where}.env_type`),
    name: requireText(call.get('func_name'), `${where}.func_name`),
    kwargs: requireDict(call.get('arguments'), `${where}.arguments`),
  };
}

function readAction(value: PythonValue, where: string): ExpectedAction {
  const compared = optionalList(requireDict(value, where), 'compare_args', where);
  return {
    ...readCall(value, where),
    ...(compared && {
      compared: compared.map((each, index) => requireText(each, `${where}.compare_args[${index}]`)),
    }),
  };
}

function readCall(value: PythonValue, where: string): Call {
  const call = requireDict(value, where);
  return {
    name: requireText(call.get('name'), `${where}.name`),
    requestor: readSide(call.get('requestor') ?? 'assistant', `${where}.requestor`),
    kwargs: requireDict(call.get('arguments'), `${where}.arguments`),
  };
}

function readSide(value: PythonValue | undefined, where: string): Side {
  return value === 'user' || value === 'assistant' ? value : wrong(value, where, '“user” or “assistant”');
}

/** The messages of a simulation. */
export function readMessages(messages: readonly PythonValue[], where: string): Message[] {
  return messages.map((value, index) => {
    const at = `${where}[${index}]`;
    const message = requireDict(value, at);
    const content = message.get('content') ?? null;
    const role = requireText(message.get('role'), `${at}.role`);
    const isPlayer = role === 'assistant' || role === 'user';
    return {
      role,
      ...(content !== null && isPlayer && { text: requireText(content, `${at}.content`) }),
      calls: !isPlayer
        ? []
        : (optionalList(message, 'tool_calls', at) ?? []).map((call, position) =>
            readCall(call, `${at}.tool_calls[${position}]`),
          ),
    };
  });
}

function optionalDict(
  container: PythonDict | undefined,
  name: string,
  where: string,
): PythonDict | undefined {
  const value = container?.get(name) ?? null;
  return value === null ? undefined : requireDict(value, `${where}.${name}`);
}

function optionalList(
  container: PythonDict | undefined,
  name: string,
  where: string,
): readonly PythonValue[] | undefined {
  const value = container?.get(name) ?? null;
  return value === null ? undefined : listOf(value, `${where}.${name}`);
}

import { valueError } from '../python/exception.ts';
import { absent, dict, list, make, oneOf, record, text, withDefault } from '../python/model.ts';
import { append, contains, getDict, getItem, lengthOf, setItem } from '../python/operate.ts';
import { equal, type PythonDict, type PythonValue } from '../python/value.ts';
import type { DomainRules, World } from './toolkit.ts';

const task = record({
  task_id: text,
  title: text,
  description: absent(text),
  status: oneOf('pending', 'completed'),
});

const notification = record(
  {
    notification_id: text,
    message: text,
    status: withDefault(oneOf('unread', 'read'), 'unread'),
    task_id: absent(text),
  },
  { closed: true },
);

/** The domain that tau2 tests itself with: tasks, and notifications of them. */
export const mock: DomainRules = {
  name: 'mock',
  agentModel: record(
    { tasks: dict(task), users: dict(record({ user_id: text, name: text, tasks: list(text) })) },
    { closed: true },
  ),
  userModel: record({ notifications: withDefault(dict(notification), new Map()) }, { closed: true }),
  agent: {
    reads: ['get_users', 'transfer_to_human_agents'],
    writes: {
      create_task: {
        parameters: ['user_id', 'title', 'description'],
        optional: { description: null },
        run: createTask,
      },
      update_task_status: {
        parameters: ['task_id', 'status'],
        run: ({ agent }, id, status) => found(agent, 'tasks', id!).set('status', status!),
      },
    },
    functions: {
      assert_number_of_tasks: {
        parameters: ['user_id', 'expected_number'],
        run: ({ agent }, id, expected) =>
          equal(lengthOf(getItem(found(agent, 'users', id!), 'tasks')), expected!),
      },
      assert_task_status: {
        parameters: ['task_id', 'expected_status'],
        run: ({ agent }, id, expected) => equal(getItem(found(agent, 'tasks', id!), 'status'), expected!),
      },
    },
  },
  user: {
    reads: ['check_notifications'],
    writes: {
      dismiss_notification: {
        parameters: ['notification_id'],
        run: ({ user }, id) => found(user, 'notifications', id!).set('status', 'read'),
      },
    },
    functions: {
      add_notification: {
        parameters: ['notification_id', 'message', 'task_id'],
        optional: { task_id: null },
        run: addNotification,
      },
      assert_notification_status: {
        parameters: ['notification_id', 'expected_status'],
        run: ({ user }, id, expected) =>
          equal(getItem(found(user, 'notifications', id!), 'status'), expected!),
      },
    },
  },
};

function found(database: PythonDict, table: string, id: PythonValue): PythonDict {
  const records = database.get(table)!;
  if (!contains(records, id)) throw valueError('not found');
  return getDict(records, id);
}

function createTask({ agent }: World, ...given: PythonValue[]): PythonValue {
  const [userId, title, description] = given as [PythonValue, PythonValue, PythonValue];
  const user = found(agent, 'users', userId);
  const id = `task_${lengthOf(agent.get('tasks')!) + 1n}`;
  const created = make(task, { task_id: id, title, description, status: 'pending' });
  setItem(agent.get('tasks')!, id, created);
  append(getItem(user, 'tasks'), id);
  return created;
}

function addNotification({ user }: World, ...given: PythonValue[]): PythonValue {
  const [id, message, taskId] = given as [PythonValue, PythonValue, PythonValue];
  const added = make(notification, { notification_id: id, message, task_id: taskId });
  setItem(user.get('notifications')!, id as string, added);
  return added;
}

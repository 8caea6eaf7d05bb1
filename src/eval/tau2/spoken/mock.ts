import { writeJson } from '../../python/json.ts';
import type { PythonDict, PythonValue } from '../../python/value.ts';
import { oneOfSchema, type SpokenTools, textSchema, transferTool, written } from './tool.ts';

/** The tools of the domain that tau2 tests itself with. */
export const mockTools: SpokenTools = {
  agent: {
    create_task: {
      description: 'Makes a task for somebody.',
      parameters: {
        user_id: textSchema('Whose task it is.'),
        title: textSchema('The title.'),
        description: textSchema('More about it.'),
      },
      optional: { description: null },
      answer: (_world, _given, came) => written(came),
    },
    get_users: {
      description: 'Lists everybody.',
      parameters: {},
      answer: ({ agent }) => writeJson(recordsOf(agent, 'users')),
    },
    update_task_status: {
      description: 'Changes the status of a task.',
      parameters: {
        task_id: textSchema('Which task.'),
        status: oneOfSchema('Its new status.', 'pending', 'completed'),
      },
      answer: ({ agent }, [id]) => writeJson((agent.get('tasks') as PythonDict).get(id as string)!),
    },
    transfer_to_human_agents: transferTool,
  },
  user: {
    check_notifications: {
      description: 'Shows your notifications.',
      parameters: {},
      answer: ({ user }) => writeJson(recordsOf(user, 'notifications')),
    },
    dismiss_notification: {
      description: 'Marks a notification as read.',
      parameters: { notification_id: textSchema('Which one.') },
      answer: (_world, [id]) => `Notification ${String(id)} dismissed.`,
    },
  },
};

function recordsOf(database: PythonDict, table: string): PythonValue[] {
  return [...(database.get(table) as PythonDict).values()];
}

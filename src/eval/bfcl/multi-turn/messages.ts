import { append, contains, getItem, lower, operate } from '../../python/operate.ts';
import { PythonRandom } from '../../python/random.ts';
import { str } from '../../python/repr.ts';
import { equal, isTrue, type PythonDict, type PythonValue } from '../../python/value.ts';
import { type Api, attributes, dict, error, method } from './api.ts';

const noUser = 'No user is currently logged in.';

/** Messages to the users of a workspace. */
export function startMessages(initial: PythonDict): Api {
  const state = attributes(initial, {
    generated_ids: [],
    user_count: 4n,
    user_map: dict({ Alice: 'USR001', Bob: 'USR002', Catherine: 'USR003', Daniel: 'USR004' }),
    inbox: [
      dict({ USR002: 'My name is Alice. I want to connect.' }),
      dict({ USR003: 'Could you upload the file?' }),
      dict({ USR004: 'Could you upload the file?' }),
    ],
    message_count: 3n,
    current_user: null,
  });
  const random = new PythonRandom((initial.get('random_seed') as bigint | undefined) ?? 200191n);
  const users = (): PythonDict => state.get('user_map') as PythonDict;
  const inbox = (): PythonDict[] => state.get('inbox') as PythonDict[];
  /** Each message has one member: to whom, and what. */
  const messages = () => inbox().map((message) => [...message][0]!);
  const isOpen = (): boolean => isTrue(state.get('current_user')!);
  const isUser = (id: PythonValue): boolean => contains([...users().values()], id);

  function newId(): bigint {
    const taken = state.get('generated_ids') as PythonValue[];
    let id = random.between(10_000n, 99_999n);
    while (contains(taken, id)) id = random.between(10_000n, 99_999n);
    taken.push(id);
    return id;
  }

  return {
    // The ids are a set: in which order they came does not count.
    state: () =>
      new Map(state).set(
        'generated_ids',
        new Map((state.get('generated_ids') as PythonValue[]).map((id) => [str(id), true])),
      ),
    methods: {
      list_users: method([], () => dict({ user_list: [...users().keys()] })),
      get_user_id: method(['user'], (user = null) =>
        contains(users(), user)
          ? dict({ user_id: getItem(users(), user) })
          : error(`User '${str(user)}' not found in the workspace.`),
      ),
      message_login: method(['user_id'], (id = null) => {
        if (!isUser(id)) return dict({ login_status: false, message: `User ID '${str(id)}' not found.` });
        state.set('current_user', id);
        return dict({ login_status: true, message: `User '${str(id)}' logged in successfully.` });
      }),
      message_get_login_status: method([], () => dict({ login_status: isOpen() })),
      send_message: method(['receiver_id', 'message'], (receiver = null, message = null) => {
        if (!isOpen()) return error(noUser);
        if (!isUser(receiver)) return error(`Receiver ID '${str(receiver)}' not found.`);
        const id = newId();
        append(inbox(), dict({ [str(receiver)]: message }));
        state.set('message_count', operate('+=', state.get('message_count')!, 1n));
        return dict({
          sent_status: true,
          message_id: dict({ new_id: id }),
          message: `Message sent to '${str(receiver)}' successfully.`,
        });
      }),
      delete_message: method(['receiver_id'], (receiver = null) => {
        if (!isOpen()) return error(noUser);
        const latest = inbox().findLast((message) => [...message.keys()][0] === receiver);
        if (latest === undefined) return error(`Receiver ID ${str(receiver)} not found.`);
        // The official one removes the first message that is equal.
        inbox().splice(
          inbox().findIndex((message) => equal(message, latest)),
          1,
        );
        return dict({
          deleted_status: true,
          receiver_id: receiver,
          message: `Receiver ${str(receiver)}'s latest message deleted successfully.`,
        });
      }),
      view_messages_sent: method([], () => {
        if (!isOpen()) return error(noUser);
        const sent: PythonDict = new Map();
        for (const [receiver, text] of messages())
          sent.set(receiver, [...((sent.get(receiver) as PythonValue[] | undefined) ?? []), text]);
        return dict({ messages: sent });
      }),
      add_contact: method(['user_name'], (name = null) => {
        if (contains(users(), name)) return error(`User name '${str(name)}' already exists.`);
        const count = operate('+=', state.get('user_count')!, 1n);
        state.set('user_count', count);
        const id = `USR${str(count).padStart(3, '0')}`;
        if (isUser(id)) return error(`User ID '${id}' already exists.`);
        users().set(str(name), id);
        return dict({
          added_status: true,
          user_id: id,
          message: `Contact '${str(name)}' added successfully.`,
        });
      }),
      search_messages: method(['keyword'], (keyword = null) => {
        if (!isOpen()) return error(noUser);
        const wanted = lower(keyword);
        const found = messages().filter(([, text]) => contains(lower(text), wanted));
        return dict({
          results: found.map(([receiver, text]) => dict({ receiver_id: receiver, message: text })),
        });
      }),
      get_message_stats: method([], () => {
        if (!isOpen()) return error(noUser);
        const all = messages();
        return dict({
          stats: dict({
            received_count: BigInt(all.length),
            total_contacts: BigInt(new Set(all.map(([receiver]) => receiver)).size),
          }),
        });
      }),
    },
  };
}

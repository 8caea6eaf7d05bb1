import {
  append,
  contains,
  getItem,
  isGreater,
  isLess,
  iterate,
  lower,
  operate,
  setItem,
} from '../../python/operate.ts';
import { str } from '../../python/repr.ts';
import { equal, isTrue, type PythonDict, type PythonValue } from '../../python/value.ts';
import { type Api, attributes, dict, error, method } from './api.ts';

/** Tickets of a help desk. */
export function startTickets(initial: PythonDict): Api {
  const state = attributes(initial, { ticket_queue: [], ticket_counter: 1n, current_user: null });
  const queue = () => state.get('ticket_queue') as PythonValue[];
  const user = () => state.get('current_user')!;
  const find = (id: PythonValue) => queue().find((ticket) => equal(getItem(ticket, 'id'), id));
  const missing = (id: PythonValue) => error(`Ticket with ID ${str(id)} not found.`);
  const changed = (id: PythonValue, verb: string) =>
    dict({ status: `Ticket ${str(id)} has been ${verb} successfully.` });

  return {
    state: () => state,
    methods: {
      create_ticket: method(
        ['title', ['description', ''], ['priority', 1n]],
        (title = null, description = '', priority = 1n) => {
          if (!isTrue(user())) return error('User not authenticated. Please log in to create a ticket.');
          if (isLess(priority, 1n) || isGreater(priority, 5n))
            return error('Invalid priority. Priority must be between 1 and 5.');
          const id = state.get('ticket_counter')!;
          const ticket = dict({ id, title, description, status: 'Open', priority, created_by: user() });
          append(queue(), ticket);
          state.set('ticket_counter', operate('+=', id, 1n));
          return ticket;
        },
      ),
      get_ticket: method(['ticket_id'], (id = null) => find(id) ?? missing(id)),
      close_ticket: method(['ticket_id'], (id = null) => {
        const ticket = find(id);
        if (ticket === undefined) return missing(id);
        if (getItem(ticket, 'status') === 'Closed')
          return error(`Ticket with ID ${str(id)} is already closed.`);
        setItem(ticket, 'status', 'Closed');
        return changed(id, 'closed');
      }),
      resolve_ticket: method(['ticket_id', 'resolution'], (id = null, resolution = null) => {
        const ticket = find(id);
        if (ticket === undefined) return missing(id);
        if (getItem(ticket, 'status') === 'Resolved')
          return error(`Ticket with ID ${str(id)} is already resolved.`);
        setItem(ticket, 'status', 'Resolved');
        setItem(ticket, 'resolution', resolution);
        return changed(id, 'resolved');
      }),
      edit_ticket: method(['ticket_id', 'updates'], (id = null, updates = null) => {
        const ticket = find(id);
        if (ticket === undefined) return missing(id);
        const fields = ['title', 'description', 'status', 'priority'];
        const invalid = iterate(updates).filter((field) => !contains(fields, field));
        if (invalid.length > 0) return error(`Invalid fields for update: ${invalid.map(str).join(', ')}`);
        for (const field of iterate(updates)) {
          const value = getItem(updates, field);
          if (value !== null) setItem(ticket, str(field), value);
        }
        return changed(id, 'updated');
      }),
      ticket_login: method(['username', 'password'], (username = null, password = null) => {
        const isRight = isTrue(username) && isTrue(password);
        if (isRight) state.set('current_user', username);
        return dict({ success: isRight });
      }),
      ticket_get_login_status: method([], () => dict({ login_status: isTrue(user()) })),
      logout: method([], () => {
        const wasIn = isTrue(user());
        if (wasIn) state.set('current_user', null);
        return dict({ success: wasIn });
      }),
      get_user_tickets: method([['status', null]], (status = null) => {
        if (!isTrue(user())) return [error('User not authenticated. Please log in to view tickets.')];
        return queue().filter(
          (ticket) =>
            equal(getItem(ticket, 'created_by'), user()) &&
            (!isTrue(status) || lower(getItem(ticket, 'status')) === lower(status)),
        );
      }),
    },
  };
}

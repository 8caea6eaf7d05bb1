import { WhetstoneError } from '../../base/host/errors.ts';
import type { Action } from '../../base/message/action.ts';
import type { Computer } from './computer.ts';
import { noWay, type Effect, type PerformContext } from './effect.ts';

const searchPage = 'https://www.google.com/';

/** What only a browser can do: addresses, tabs, elements, the page's own words. */
export async function performOnPage(
  action: Action,
  computer: Computer,
  { signal, javascript }: PerformContext,
): Promise<Effect> {
  const { elements, tabs } = computer;
  if (action.type === 'done' || action.type === 'remember') return { text: 'OK' };
  if (elements === undefined || tabs === undefined) throw noWay(action, computer);
  switch (action.type) {
    case 'navigate':
      if (action.url !== undefined) await tabs.navigate(action.url, signal);
      else await tabs.history(action.history ?? 'reload', signal);
      return {};
    case 'search': {
      const { query } = action;
      await tabs.navigate(
        query === undefined ? searchPage : `${searchPage}search?q=${encodeURIComponent(query)}`,
        signal,
      );
      return {};
    }
    case 'tab_list': {
      const all = await tabs.list(signal);
      return {
        text: all
          .map((tab) => `${tab.id}${tab.active ? ' (active)' : ''}: ${JSON.stringify(tab.title)} ${tab.url}`)
          .join('\n'),
      };
    }
    case 'tab_new':
      await tabs.open(signal);
      return {};
    case 'tab_switch':
      await tabs.switchTo(action.tab, signal);
      return {};
    case 'tab_close':
      await tabs.close(action.tab, signal);
      return {};
    case 'element_read': {
      const { filter, depth, target } = action;
      return {
        text: await elements.read(
          {
            ...(filter !== undefined && { filter }),
            ...(depth !== undefined && { depth }),
            ...(target !== undefined && { ref: target.ref }),
          },
          signal,
        ),
      };
    }
    case 'element_find':
      return { text: await elements.find(action.query, signal) };
    case 'element_set_value':
      await elements.setValue(action.target.ref, action.value, signal);
      return {};
    case 'element_scroll_to':
      await elements.locate(action.target.ref, signal);
      return {};
    case 'element_upload':
      if (action.paths === undefined || action.paths.length === 0)
        throw new WhetstoneError(
          'action_invalid',
          'A file to upload must be named in `paths`; there is none.',
        );
      await elements.upload(action.target.ref, action.paths, signal);
      return {};
    case 'page_text':
      return { text: await elements.text(signal) };
    case 'page_console':
      return { text: elements.console() };
    case 'page_network':
      return { text: elements.network() };
    case 'run_script':
      if (!javascript)
        throw new WhetstoneError(
          'script_refused',
          'Scripts of the model are not allowed to run in the page. Read the page with read_page or get_page_text.',
        );
      return { text: await elements.run(action.script, signal) };
    default:
      throw noWay(action, computer);
  }
}

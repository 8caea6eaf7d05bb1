import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonObject } from '../../base/json/value.ts';
import { actionInput } from '../../run/computer/action-input.ts';
import type { PageWorld } from './task.ts';

/** What a page lets an operator do: the actions of `base/message`, as far as they make sense without a picture. */
const actions = [
  'element_read',
  'element_find',
  'element_set_value',
  'element_scroll_to',
  'page_text',
  'left_mouse_click',
  'left_mouse_double_click',
  'left_mouse_triple_click',
  'right_click',
  'move',
  'drag',
  'scroll',
  'type',
  'keypress',
  'wait',
  'navigate',
  'tab_close',
] as const;

/** The tool that every world with a page has. */
export const pageTool = {
  id: 'computer',
  type: 'function',
  name: 'Computer',
  description:
    'Does one action in the browser, and tells what came of it. "element_read" shows the page as a tree in which each element has a reference, such as [ref=e3]; clicks and values take it as target.',
  mode: 'json_schema',
  // Neither addresses nor scripts: what the pages are given is theirs.
  json_schema: actionInput(actions),
} as const;

/** `world: { page: ./shop }` names a folder of the scenario; the rest is what its pages are given. */
export function pageOf(folder: string, world: JsonObject): PageWorld | undefined {
  const { page, ...given } = world;
  return isPage(page) ? { folder: join(folder, page), given } : undefined;
}

/** Why the pages of a world cannot be shown. */
export function pageFault(folder: string, world: JsonObject): string | undefined {
  const { page } = world;
  if (!isPage(page)) return undefined;
  if (page.includes('..'))
    return `The page "${page}" lies outside the scenario's folder. Move it into the folder.`;
  const first = join(folder, page, 'index.html');
  return existsSync(first) ? undefined : `The page "${page}" is not there. Write it at ${first}.`;
}

function isPage(page: unknown): page is string {
  return typeof page === 'string' && page.startsWith('./');
}

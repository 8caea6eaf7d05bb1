import type { Adapter } from '../adapter.ts';
import { adapterOf, apiNames } from '../catalog.ts';

/** Where a request came in: the API that is meant, and what else its path says. */
export interface Door {
  readonly adapter: Adapter;
  readonly fromPath: { readonly model?: string; readonly stream?: boolean };
}

interface DoorPattern {
  readonly api: string;
  readonly path: string;
  readonly pattern: RegExp;
}

/** Behind any prefix: clients differ in what belongs to the base URL, and clouds put places and deployments before it. */
const doors: readonly DoorPattern[] = [
  { api: 'anthropic', path: '/v1/messages', pattern: /\/messages$/ },
  { api: 'openai-chat', path: '/v1/chat/completions', pattern: /\/chat\/completions$/ },
  { api: 'openai-responses', path: '/v1/responses', pattern: /\/responses$/ },
  {
    api: 'gemini',
    path: '/v1beta/models/MODEL:generateContent',
    pattern: /\/models\/(?<model>[^/:]+):(?<method>generateContent|streamGenerateContent)$/,
  },
];

const open = doors.filter(({ api }) => apiNames.includes(api));

export const doorsText = open.map(({ path }) => path).join(', ');

export function doorOf(path: string): Door | undefined {
  for (const { api, pattern } of open) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const { model, method } = match.groups ?? {};
    const fromPath =
      model === undefined ? {} : { model: decodeURIComponent(model), stream: method !== 'generateContent' };
    return { adapter: adapterOf(api), fromPath };
  }
  return undefined;
}

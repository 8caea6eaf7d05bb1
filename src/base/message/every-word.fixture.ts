import type { Action } from './action.ts';
import type { Call } from './call.ts';
import type { Message } from './message.ts';
import type { AssistantPart } from './part.ts';

const providerData = { anthropic: { signature: 'c2ln', nested: { deep: [1, null] } } };
const url = { kind: 'url', url: 'https://example.org/a.png', mediaType: 'image/png' } as const;
const base64 = { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } as const;
const image = { type: 'image', source: base64, detail: 'original', providerData } as const;

/** What every action may carry, with all of it set. */
const full = {
  environment: 'browser',
  environmentVariable: 'page_1',
  callId: 'call_7',
  requiresLocalExecution: true,
  modifiers: ['Shift'],
  frame: { kind: 'image', width: 1280, height: 800 },
  intent: 'Open the menu',
  safety: { id: 'cu_sc_1', code: 'sensitive_domain', message: 'Look twice' },
  target: { ref: 'ref_3' },
  tab: 3,
  batch: { index: 0, of: 2 },
  raw: { action: 'left_click', coordinate: [10, 20] },
} as const;

/** Every kind of action, each field of each at least once. */
export const everyAction: readonly Action[] = [
  { ...full, type: 'left_mouse_down', xy: [10, 20] },
  { ...full, type: 'left_mouse_up', xy: null },
  { type: 'left_mouse_click', xy: [0, 0], frame: { kind: 'grid', size: 1000 } },
  { type: 'left_mouse_double_click' },
  { type: 'left_mouse_triple_click', environment: null, callId: null },
  { type: 'middle_click', tab: 'tab_a' },
  { type: 'right_click' },
  { type: 'back_click' },
  { type: 'forward_click' },
  {
    type: 'drag',
    xy: [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
    fromCursor: true,
  },
  { type: 'keypress', keys: ['Control', 'a'], repeat: 3 },
  { type: 'keypress_hold', keys: ['a'], duration: 0.5 },
  { type: 'move', xy: [1, 2] },
  { type: 'screenshot' },
  { type: 'scroll', startXy: [5, 5], distanceXy: [0, -100], magnitude: null, direction: null },
  { type: 'scroll', direction: 'left', magnitude: 3, unit: 'notch' },
  { type: 'type', text: 'hi', xy: [1, 2], clearFirst: true, pressEnter: false },
  { type: 'wait', duration: 1.5 },
  { type: 'wait', duration: null },
  { type: 'cursor_position' },
  { type: 'key_down', key: 'Shift' },
  { type: 'key_up', key: 'Shift' },
  { type: 'zoom', region: [0, 0, 100, 100] },
  { type: 'navigate', url: 'https://example.org' },
  { type: 'navigate', history: 'back' },
  { type: 'search', query: 'weather' },
  { type: 'open_browser' },
  { type: 'open_app', name: 'Mail' },
  { type: 'list_apps' },
  { type: 'long_press', xy: [1, 1], duration: 2 },
  { type: 'element_find', query: 'the send button' },
  { type: 'element_read', filter: 'interactive', depth: 3 },
  { type: 'element_set_value', target: { ref: 'ref_1' }, value: ['a', 1] },
  { type: 'element_upload', target: { ref: 'ref_1' }, paths: ['/tmp/a'], documentIds: ['doc_1'] },
  { type: 'element_scroll_to', target: { ref: 'ref_1' } },
  { type: 'page_text' },
  { type: 'page_console' },
  { type: 'page_network' },
  { type: 'run_script', script: 'document.title' },
  { type: 'tab_list' },
  { type: 'tab_new' },
  { type: 'tab_switch', tab: 2 },
  { type: 'tab_close', tab: 2 },
  { type: 'done', status: 'success', answer: '42' },
  { type: 'ask_user', question: 'Which one?' },
  { type: 'remember', fact: 'The code is 7.' },
  { type: 'other', provider: 'gemini', name: 'shake', args: { times: 3 } },
];

const call: Required<Omit<Call, 'invalid' | 'couldBeStructuredOutput'>> = {
  type: 'call',
  id: 'call_1',
  name: 'computer',
  arguments: { city: 'Oslo', days: [1, 2, { at: null }] },
  wireArguments: '{"city":"Oslo"}',
  wireId: 'tool_0',
  idMadeUp: false,
  kind: 'computer',
  requiresLocalExecution: true,
  actions: everyAction.slice(0, 3),
  safetyChecks: [{ id: 'cu_sc_1', code: 'x', message: 'y' }],
  providerData,
};

const assistantParts: readonly AssistantPart[] = [
  { type: 'reasoning', text: 'Hm', redacted: false, providerData },
  { type: 'text', text: 'Let me look.', linkedToImage: false, providerData },
  image,
  { type: 'refusal', text: 'Not that.' },
  call,
  {
    ...{ type: 'call', id: 'call_2', name: 'search', arguments: '{"q":', kind: 'function' },
    requiresLocalExecution: true,
    couldBeStructuredOutput: true,
    invalid: { reason: 'truncated', message: 'cut off' },
  } as Call,
  {
    type: 'call',
    id: 'srv_1',
    name: 'web_search',
    arguments: {},
    kind: 'custom',
    requiresLocalExecution: false,
  },
  { type: 'hosted-result', callId: 'srv_1', name: 'web_search', content: { any: ['thing'] }, isError: false },
  { type: 'other', api: 'openai', raw: { type: 'new_block' } },
];

/** A history in which every field of every word is used at least once. */
export const everyMessage: readonly Message[] = [
  { role: 'system', content: 'Be kind.', providerData },
  { role: 'system', content: [{ type: 'text', text: 'And brief.', providerData }] },
  { role: 'user', content: 'Rain in Oslo?', providerData },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'The map:', linkedToImage: true },
      image,
      { type: 'image', source: url },
      { type: 'document', source: { kind: 'text', text: 'words' }, title: 'Notes', providerData },
      { type: 'document', source: base64 },
      { type: 'document', source: url },
    ],
  },
  { role: 'assistant', content: assistantParts, from: { api: 'anthropic', model: 'm' }, providerData },
  {
    role: 'tool',
    results: [
      {
        callId: 'call_1',
        name: 'computer',
        content: [{ type: 'text', text: 'OK' }, image],
        isError: false,
        errorCode: 'none',
        artifact: { rows: [1, 2] },
        startedAt: 1,
        durationMs: 2.5,
        truncated: { characters: 100 },
        acknowledgedSafetyChecks: ['cu_sc_1'],
        providerData,
      },
      { callId: 'call_2', name: 'search', content: [] },
    ],
  },
];

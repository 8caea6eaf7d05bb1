import type OpenAI from 'openai';

// Every kind of item that Responses may answer with, in the words of the official types.

type Item = OpenAI.Responses.ResponseOutputItem;

export const hosted: readonly Item[] = [
  {
    type: 'image_generation_call',
    id: 'ig_1',
    status: 'completed',
    result: 'iVBORw0KGgo=',
    action: 'generate',
    revised_prompt: 'a red cat',
  },
  {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { type: 'open_page', url: 'https://example.com' },
  },
  {
    type: 'web_search_call',
    id: 'ws_2',
    status: 'completed',
    action: { type: 'find_in_page', url: 'https://example.com', pattern: 'cat' },
  },
  { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['cats'], results: [] },
  {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'completed',
    code: 'print(1)',
    container_id: 'cntr_1',
    outputs: [
      { type: 'logs', logs: '1' },
      { type: 'image', url: 'https://example.com/1.png' },
    ],
  },
  {
    type: 'mcp_call',
    id: 'mcp_1',
    name: 'ask',
    server_label: 'wiki',
    arguments: '{"q":"cats"}',
    status: 'failed',
    error: { type: 'mcp_tool_execution_error', content: [] },
    output: null,
  },
  { type: 'program', id: 'prog_1', call_id: 'call_p', code: 'x()', fingerprint: 'f' },
  {
    type: 'tool_search_call',
    id: 'ts_1',
    call_id: null,
    execution: 'server',
    status: 'completed',
    arguments: { paths: ['crm'] },
  },
  {
    type: 'shell_call',
    id: 'sh_1',
    call_id: 'call_sh',
    status: 'completed',
    action: { commands: ['ls'], max_output_length: null, timeout_ms: null },
    environment: { type: 'container_reference', container_id: 'cntr_1' },
  },
];

export const local: readonly Item[] = [
  {
    type: 'computer_call',
    id: 'cu_1',
    call_id: 'call_cu',
    status: 'completed',
    pending_safety_checks: [{ id: 'sc_1', code: 'malicious', message: 'sure?' }],
    actions: [
      { type: 'click', button: 'left', x: 0, y: 0, keys: null },
      { type: 'type', text: 'cat' },
    ],
  },
  {
    type: 'computer_call',
    id: 'cu_2',
    call_id: 'call_cu2',
    status: 'completed',
    pending_safety_checks: [],
    action: { type: 'screenshot' },
  },
  {
    type: 'local_shell_call',
    id: 'ls_1',
    call_id: 'call_ls',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  },
  {
    type: 'shell_call',
    id: 'sh_2',
    call_id: 'call_sh2',
    status: 'completed',
    action: { commands: ['pwd'], max_output_length: 10, timeout_ms: 1 },
    environment: { type: 'local' },
  },
  {
    type: 'apply_patch_call',
    id: 'ap_1',
    call_id: 'call_ap',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a.txt' },
  },
  { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_ct', name: 'sql', input: 'SELECT "1"' },
  {
    type: 'tool_search_call',
    id: 'ts_2',
    call_id: 'call_ts',
    execution: 'client',
    status: 'completed',
    arguments: { goal: 'crm' },
  },
];

/** Neither words nor calls: kept, and said back. */
export const silent: readonly Item[] = [
  {
    type: 'mcp_list_tools',
    id: 'mcpl_1',
    server_label: 'wiki',
    tools: [{ name: 'ask', input_schema: {} }],
    error: null,
  },
  { type: 'mcp_approval_request', id: 'mcpr_1', name: 'ask', server_label: 'wiki', arguments: '{}' },
  { type: 'program_output', id: 'po_1', call_id: 'call_p', result: '1', status: 'completed' },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' },
  { type: 'additional_tools', id: 'at_1', role: 'assistant', tools: [] },
  {
    type: 'tool_search_output',
    id: 'tso_1',
    call_id: 'call_ts',
    execution: 'server',
    status: 'completed',
    tools: [],
  },
];

export const expectedHosted = [
  ['ig_1', 'image_generation', { action: 'generate', revised_prompt: 'a red cat' }],
  ['ws_1', 'web_search', { type: 'open_page', url: 'https://example.com' }],
  ['ws_2', 'web_search', { type: 'find_in_page', url: 'https://example.com', pattern: 'cat' }],
  ['fs_1', 'file_search', { queries: ['cats'] }],
  ['ci_1', 'code_interpreter', { code: 'print(1)' }],
  ['mcp_1', 'ask', { q: 'cats' }],
  ['call_p', 'program', { code: 'x()' }],
  ['ts_1', 'tool_search', { paths: ['crm'] }],
  ['call_sh', 'shell', { commands: ['ls'], max_output_length: null, timeout_ms: null }],
].map((call) => [...call, true]);

export const expectedLocal = [
  [
    'call_cu',
    'computer',
    {
      actions: [
        { type: 'click', button: 'left', x: 0, y: 0, keys: null },
        { type: 'type', text: 'cat' },
      ],
    },
  ],
  ['call_cu2', 'computer', { type: 'screenshot' }],
  ['call_ls', 'local_shell', { type: 'exec', command: ['ls'], env: {} }],
  ['call_sh2', 'shell', { commands: ['pwd'], max_output_length: 10, timeout_ms: 1 }],
  ['call_ap', 'apply_patch', { type: 'delete_file', path: 'a.txt' }],
  ['call_ct', 'sql', null],
  ['call_ts', 'tool_search', { goal: 'crm' }],
].map((call) => [...call, false]);

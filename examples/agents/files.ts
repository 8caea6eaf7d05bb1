// An agent that tidies up a folder with the tools of an MCP server. A person agrees to each change, and a crash at any
// moment loses nothing: started again, it goes on.
import { createInterface } from 'node:readline/promises';

import { fileJournal, run } from 'whetstone';
import { mcpTools } from 'whetstone/mcp';
import { openai } from 'whetstone/wire';

const [folder = '.', prompt = 'Tidy up.'] = process.argv.slice(2);
const server = import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const changes = ['write_file', 'edit_file', 'move_file', 'create_directory'];

await using mcp = await mcpTools(
  { files: { command: process.execPath, args: [new URL(server).pathname, folder] } },
  { settings: Object.fromEntries(changes.map((name) => [`files_${name}`, { approval: 'always' }])) },
);
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const { text } = await run({
  model: openai('gpt-5'),
  tools: mcp.tools,
  prompt,
  approve: async ({ name, arguments: asked }) =>
    (await terminal.question(`${name} ${JSON.stringify(asked)}? (y/n) `)) === 'y',
  journal: fileJournal(`${folder}/.agent`),
  runId: 'tidy',
});
terminal.close();
console.log(text);

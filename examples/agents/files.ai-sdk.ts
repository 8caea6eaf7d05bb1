// The same agent with the AI SDK. What is to outlive the process is written down after each step.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, type ModelMessage, type ToolApprovalResponse } from 'ai';

const [folder = '.', prompt = 'Tidy up.'] = process.argv.slice(2);
const server = import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const changes = ['write_file', 'edit_file', 'move_file', 'create_directory'];

const transport = new StdioMCPTransport({
  command: process.execPath,
  args: [new URL(server).pathname, folder],
});
const client = await createMCPClient({ transport });
const terminal = createInterface({ input: process.stdin, output: process.stdout });

mkdirSync(`${folder}/.agent`, { recursive: true });
const file = `${folder}/.agent/tidy.json`;
const save = (all: readonly ModelMessage[]) => writeFileSync(file, JSON.stringify(all));
let messages: ModelMessage[] = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as ModelMessage[])
  : [{ role: 'user', content: prompt }];

for (;;) {
  const before = messages;
  const result = await generateText({
    model: openai('gpt-5'),
    tools: await client.tools(),
    toolApproval: Object.fromEntries(changes.map((name) => [name, 'user-approval' as const])),
    stopWhen: isStepCount(20),
    messages: before,
    onStepEnd: ({ response }) => save([...before, ...response.messages]),
  });
  messages = [...before, ...result.responseMessages];
  const answers: ToolApprovalResponse[] = [];
  for (const part of result.content) {
    if (part.type !== 'tool-approval-request') continue;
    const { toolName, input } = part.toolCall;
    const answer = await terminal.question(`${toolName} ${JSON.stringify(input)}? (y/n) `);
    answers.push({ type: 'tool-approval-response', approvalId: part.approvalId, approved: answer === 'y' });
  }
  if (answers.length > 0) messages.push({ role: 'tool', content: answers });
  save(messages);
  if (answers.length > 0) continue;
  console.log(result.text);
  break;
}
terminal.close();
await client.close();

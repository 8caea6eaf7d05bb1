import { checkHistory, mendHistory, readMessages } from 'whetstone/message';

// As it was left behind: the process died while the second of two calls ran.
const stored = `[
  { "role": "user", "content": "Rain in Oslo and Bergen?" },
  { "role": "assistant", "content": [
    { "type": "call", "id": "a", "name": "weather", "arguments": "{\\"city\\":\\"Oslo\\"}",
      "kind": "function", "requiresLocalExecution": true },
    { "type": "call", "id": "b", "name": "weather", "arguments": "{\\"city\\":\\"Bergen\\"}",
      "kind": "function", "requiresLocalExecution": true } ] },
  { "role": "tool", "results": [
    { "callId": "a", "name": "weather", "content": [{ "type": "text", "text": "dry" }] } ] },
  { "role": "user", "content": "Are you there?" }
]`;

const messages = readMessages(JSON.parse(stored)); // throws with index and field where something is wrong
for (const problem of checkHistory(messages)) console.log(problem.text);

const mended = mendHistory(messages);
for (const { kind, problem } of mended.changes) console.log(`${kind}: ${problem.callId}`);
console.log(checkHistory(mended.messages).length, 'problems left');

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a hostile model, person or trainer might say; `ran` is where a script of it would be seen. */
export const hostile = [
  '<script>window.ran = true</script><img src=x onerror="window.ran = true"><svg onload="window.ran = true">',
  '[a link](javascript:window.ran=true) <a href="javascript:window.ran=true">here</a> ![p](https://example.com/p.png)',
  '\u202Egnihtyna\u202C \u2066inside\u2069 \u200Bzero\u200B wide',
  '\u001b[2J\u001b[31mred\u001b[0m \u001b]0;title\u0007',
  'half a sign: \ud83d and \udc00',
  `one word: ${'w'.repeat(8000)}`,
].join('\n\n');
export const longName = `player-${'n'.repeat(180)}`;
export const hostileName =
  '<img src=x onerror="window.ran = true"> \u202Egnihtyna [a](javascript:window.ran=true)';

/** An open episode of a player who is hostile in all that a player may say. */
export async function playHostile(url: string): Promise<string> {
  const ask = async (path: string, body: object): Promise<{ readonly episode_id: string }> => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json() as Promise<{ readonly episode_id: string }>;
  };
  const { episode_id: id } = await ask('/api/v1/episodes', {
    collection_slug: 'case-management',
    scenario_slug: 'lumbar-strain',
    player: { name: longName, model: hostileName },
    group: hostileName,
  });
  const calls = [
    { id: 'call_1', name: 'medical_assessment', arguments: { condition: hostile } },
    { id: 'call_2', name: 'x'.repeat(64), arguments: { [longName]: hostile } },
  ];
  await ask(`/api/v1/episodes/${id}/turns`, {
    messages: [{ role: 'assistant', content: hostile, tool_calls: calls }],
  });
  return id;
}

/** A log of one conversation of ten megabytes, hostile in every place. */
export function keepHostileLog(file: string): void {
  const large = `${hostile}\n`.repeat(Math.ceil(2_500_000 / hostile.length));
  const call = {
    id: hostileName,
    type: 'function',
    function: { name: longName, arguments: JSON.stringify({ [hostileName]: large }) },
  };
  const messages = [
    { role: 'system', content: hostile },
    { role: 'user', content: large },
    { role: 'assistant', content: large, tool_calls: [call] },
    { role: 'tool', tool_call_id: hostileName, content: large },
  ];
  writeFileSync(file, `${JSON.stringify({ messages, metadata: { [longName]: hostile } })}\n`);
}

/** A collection, in a folder of them, whose one scenario is hostile in all that its author may write. */
export function keepHostileScenario(room: string): {
  readonly collection: string;
  readonly scenario: string;
} {
  const name = `${hostileName} ${longName}`;
  const folder = join(room, longName, hostileName);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(room, longName, 'collection.yaml'), JSON.stringify({ name, description: hostile }));
  const schema = {
    type: 'object',
    title: hostile,
    properties: {
      [hostileName]: { type: 'string', description: hostile, enum: [hostile, longName] },
      [longName]: { type: 'array', items: { patternProperties: { [hostileName]: { const: hostile } } } },
    },
    not: { const: hostile },
  };
  const scenario = {
    ...{ name, version: hostile, kind: hostile, canary: 'canary-hostile', description: hostile },
    briefing: hostile,
    tools: [
      { id: longName, type: 'function', name, description: hostile, json_schema: schema, steps: [] },
      { id: 'verdict', type: 'decision', name, description: hostile, options: [hostile, name] },
    ],
    expect: [{ call: 'verdict', input: { value: name } }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'scenario.yaml'), JSON.stringify(scenario));
  return { collection: longName, scenario: hostileName };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EventSourceParserStream } from 'eventsource-parser/stream';

import { findScenario } from '../../../grade/scenario/load/catalog.ts';
import { buildTask } from '../../../grade/scenario/build-task.ts';
import { bundledCatalog, lumbar, say, testServer, type TestServer } from '../testing/test-server.ts';

const server = await testServer();
const task = buildTask(findScenario(bundledCatalog, 'case-management', 'lumbar-strain'));
const gold = task.gold.map(({ say: words, calls }) => say(words ?? '', ...(calls ?? [])));

async function open(body: object = {}, on: TestServer = server): Promise<string> {
  const answer = await on.post('/api/v1/episodes', { ...lumbar, ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.episode_id;
}

const turns = (episode: string): string => `/api/v1/episodes/${episode}/turns`;
/** An answer without what is fresh each time. */
const bytes = (text: string): string => text.replace(/,"request_id":"req_\w+"\}$/, '}');

test('every answer carries a fresh request id, also as a header', async () => {
  const first = await server.get('/api/v1/key');
  const second = await server.get('/api/v1/nothing');
  for (const { headers, body } of [
    { headers: first.headers, body: first.body },
    { headers: second.headers, body: second.body.data },
  ]) {
    assert.match(body.request_id, /^req_\w{20}$/);
    assert.equal(headers.get('x-request-id'), body.request_id);
  }
  assert.notEqual(first.body.request_id, second.body.data.request_id);
});

test('an episode opens with its observation and its tools as the source shows them', async () => {
  const { body } = await server.post('/api/v1/episodes', lumbar);
  assert.deepEqual(Object.keys(body), [
    'episode_id',
    'initial_observation',
    'tools',
    'max_turns',
    'request_id',
  ]);
  assert.match(body.episode_id, /^ep_/);
  assert.equal(body.initial_observation.role, 'assistant');
  assert.deepEqual(
    body.tools.map(({ id, type, mode }: Record<string, string>) => [id, type, mode]),
    [
      ['medical_assessment', 'artifact', 'json_schema'],
      ['claim_status', 'decision', 'options'],
    ],
  );
  assert.deepEqual(body.tools[1].options, ['approved', 'denied', 'pending_info']);
});

test('the gold path earns 1, is scored at each turn when asked, and completes', async () => {
  const episode = await open({ score_turns: true, group: 'gold' });
  let last: Record<string, unknown> = {};
  for (const [index, message] of gold.entries()) {
    const { status, body } = await server.post(turns(episode), { id: episode, messages: [message] });
    assert.equal(status, 200);
    assert.equal(body.turn, index + 1);
    assert.equal(body.observation.role, 'assistant');
    assert.ok(body.reward >= 0 && body.reward <= 1);
    assert.equal(Object.keys(body.scores).length, 7);
    assert.equal(body.episode_complete, index === gold.length - 1);
    last = body;
  }
  assert.equal(last['reward'], 1);
  assert.equal(last['success'], 1);
  assert.equal(last['terminal_reason'], 'completed');

  const { body } = await server.get(`/api/v1/episodes/${episode}`);
  assert.equal(body.status, 'complete');
  assert.equal(body.reward, 1);
  assert.equal(body.grade.reward, 1);
  assert.equal(body.group, 'gold');
  assert.equal(body.turns.length, gold.length);
  const { request_id: _, ...outcome } = last;
  const { messages, at, ...stored } = body.turns.at(-1);
  assert.ok(Date.parse(at) > 0);
  assert.deepEqual(stored, outcome);
  assert.deepEqual(messages, [gold.at(-1)]);
  assert.ok(
    body.explain.facts.some(
      (fact: { discovered: boolean; turn: number }) => fact.discovered && fact.turn > 0,
    ),
  );
  assert.deepEqual(body.explain.notes.at(-1), {
    turn: gold.length,
    call: 0,
    label: 'Claim Status',
    detail: 'approved',
  });
  assert.equal(body.explain.grade.reward, 1);

  const more = await server.post(turns(episode), { messages: [say('One more thing')] });
  assert.equal(more.status, 409);
  assert.equal(more.body.data.code, 'episode_complete');
  assert.match(more.body.message, /^Episode already complete/);
  assert.equal(more.body.data.turn, gold.length);
});

test('without score_turns a turn is worth 0 and shows no scores, and the grade is kept', async () => {
  const episode = await open();
  for (const message of gold) {
    const { body } = await server.post(turns(episode), { messages: [message] });
    assert.equal(body.reward, 0);
    assert.equal('scores' in body || 'score_breakdown' in body || 'success' in body, false);
  }
  assert.equal((await server.get(`/api/v1/episodes/${episode}`)).body.grade.reward, 1);
});

test('a client may send the whole history each time', async () => {
  const episode = await open();
  const history: object[] = [];
  for (const message of gold.slice(0, 3)) {
    history.push(message);
    const { body } = await server.post(turns(episode), { messages: history });
    history.push({ role: 'user', content: body.observation.content });
  }
  const { body } = await server.get(`/api/v1/episodes/${episode}`);
  assert.deepEqual(
    body.turns.map((turn: { messages: object[] }) => turn.messages),
    gold.slice(0, 3).map((message) => [message]),
  );
  const changed = await server.post(turns(episode), {
    messages: [history[0], { role: 'user', content: 'Something else' }, ...history.slice(2), gold[3]],
  });
  assert.equal(changed.status, 400);
  assert.equal(changed.body.data.code, 'history_mismatch');
  assert.match(changed.body.message, /^messages\[1\] differs/);
});

test('the words of the person are not taken for the model’s: calls under that role, or nothing else, are refused', async () => {
  const episode = await open();
  const send = async (...messages: readonly object[]) =>
    (await server.post(turns(episode), { messages })).body;
  const theirs = { role: 'user', content: 'I deny it.', tool_calls: [{ name: 'decide', input: 'deny' }] };
  const calls = await send(gold[0]!, theirs);
  assert.match(calls.message, /^messages\[1\]\.role is "user", the person, who cannot make calls/);
  const words = await send({ role: 'user', content: 'Hello, who is there?' });
  assert.match(words.message, /^messages has no message of the model/);
  assert.equal((await server.get(`/api/v1/episodes/${episode}`)).body.turn_count, 0);
});

test('a repeat gets the stored answer byte for byte, by key, by number and by history', async () => {
  const episode = await open({ score_turns: true });
  const first = { messages: [gold[0]] };
  const one = await server.post(turns(episode), first, { 'idempotency-key': 'one' });
  const two = await server.post(turns(episode), { messages: [gold[1]], turn: 2 });
  const again = await server.post(turns(episode), first, { 'idempotency-key': 'one' });
  assert.equal(bytes(again.text), bytes(one.text));
  assert.notEqual(again.body.request_id, one.body.request_id);
  const numbered = await server.post(turns(episode), { turn: 2, messages: [gold[1]] });
  assert.equal(bytes(numbered.text), bytes(two.text));
  const history = [gold[0], { role: 'user', content: one.body.observation.content }, gold[1]];
  assert.equal(bytes((await server.post(turns(episode), { messages: history })).text), bytes(two.text));
  assert.equal((await server.get(`/api/v1/episodes/${episode}`)).body.turn_count, 2);
});

test('a key or a number that is taken by another body is a conflict that names the turn', async () => {
  const episode = await open();
  await server.post(turns(episode), { messages: [gold[0]] }, { 'idempotency-key': 'k' });
  const key = await server.post(turns(episode), { messages: [gold[1]] }, { 'idempotency-key': 'k' });
  assert.deepEqual([key.status, key.body.data.code, key.body.data.turn], [409, 'idempotency_conflict', 1]);
  const number = await server.post(turns(episode), { messages: [gold[1]], turn: 1 });
  assert.deepEqual([number.status, number.body.data.code, number.body.data.turn], [409, 'turn_conflict', 1]);
  const ahead = await server.post(turns(episode), { messages: [gold[1]], turn: 7 });
  assert.deepEqual([ahead.status, ahead.body.data.code, ahead.body.data.turn], [409, 'turn_conflict', 2]);
});

test('the same words said twice without key or number are two turns', async () => {
  const episode = await open();
  await server.post(turns(episode), { messages: [gold[0]] });
  assert.equal((await server.post(turns(episode), { messages: [gold[0]] })).body.turn, 2);
});

test('two different turns that race: one wins, the other is told which turn was taken', async () => {
  const episode = await open();
  const race = await Promise.all(
    ['Where?', 'When?', 'How?'].map((words) =>
      server.post(turns(episode), { messages: [say(words)], turn: 1 }),
    ),
  );
  assert.deepEqual(race.map(({ status }) => status).toSorted(), [200, 409, 409]);
  for (const { status, body } of race) if (status === 409) assert.equal(body.data.turn, 1);
  assert.equal((await server.get(`/api/v1/episodes/${episode}`)).body.turn_count, 1);
});

test('the same turn sent many times at once is played once', async () => {
  const episode = await open({ score_turns: true });
  const all = await Promise.all(
    Array.from({ length: 10 }, () => server.post(turns(episode), { messages: [gold[0]], turn: 1 })),
  );
  assert.equal(new Set(all.map(({ text }) => bytes(text))).size, 1);
  assert.equal((await server.get(`/api/v1/episodes/${episode}`)).body.turn_count, 1);
});

test('creating an episode twice under one key gives the same episode', async () => {
  const body = { ...lumbar, group: 'once' };
  const one = await server.post('/api/v1/episodes', body, { 'idempotency-key': 'create' });
  const two = await server.post('/api/v1/episodes', body, { 'idempotency-key': 'create' });
  assert.equal(bytes(two.text), bytes(one.text));
  const other = await server.post('/api/v1/episodes', lumbar, { 'idempotency-key': 'create' });
  assert.deepEqual([other.status, other.body.data.code], [409, 'idempotency_conflict']);
});

test('inputs of calls are never refused: a wrong one is stored, graded and explained', async () => {
  const episode = await open({ score_turns: true });
  const { status, body } = await server.post(turns(episode), {
    messages: [
      say(
        'Here',
        { name: 'no_such_tool', input: { a: 1 } },
        { name: 'medical_assessment', input: 'not an object' },
        { name: 'claim_status', input: { value: 'perhaps' } },
      ),
    ],
  });
  assert.equal(status, 200);
  assert.ok(body.reward < 0.3);
  assert.ok(Object.values(body.score_breakdown).join(' ').length > 0);
});

test('an explanation puts what was sent beside what was expected, and says what to ask for a missed fact', async () => {
  const episode = await open({});
  const wrong = { name: 'claim_status', input: { value: 'denied' } };
  await server.post(turns(episode), { messages: [say('Hello.'), say('No.', wrong)] });
  const { body } = await server.get(`/api/v1/episodes/${episode}`);
  const [decision] = body.explain.expected.filter((one: { call: string }) => one.call === 'claim_status');
  assert.deepEqual(decision, {
    id: 'decision',
    call: 'claim_status',
    turn: 1,
    index: 0,
    holds: false,
    fields: [{ field: 'value', expected: 'approved', got: 'denied', share: 0 }],
  });
  const [day] = body.explain.facts.filter((fact: { id: string }) => fact.id === 'day');
  assert.match(day.question, /\?/);
});

test('a decision at the first turn earns less than 0.3', async () => {
  const episode = await open({ score_turns: true });
  const { body } = await server.post(turns(episode), {
    messages: [say('Approved.', { name: 'claim_status', input: { value: 'approved' } })],
  });
  assert.ok(body.reward < 0.3);
});

test('a reward config shapes the reward of a turn', async () => {
  const episode = await open({ score_turns: true });
  const { body } = await server.post(turns(episode), {
    messages: [gold[0]],
    reward_config: { quality_weights: { discovery: 1 }, skip_safety_gate: true },
  });
  assert.equal(body.shaped, true);
  assert.ok(body.reward > 0);
  assert.equal(body.reward, body.scores.discovery);
});

test('max_turns in config lowers the limit, and the end says so', async () => {
  for (const max_turns of [0, -1, 1.5, '3']) {
    const { status, body } = await server.post('/api/v1/episodes', { ...lumbar, config: { max_turns } });
    assert.deepEqual([status, body.message.split(' ')[0]], [400, 'config.max_turns']);
  }
  const allowed = (await server.get('/api/v1/catalog/case-management/lumbar-strain')).body.limits.turns;
  for (const [config, told] of [
    [undefined, allowed],
    [{ max_turns: 3 }, 3],
    // A trainer's one setting for all scenarios may ask for more than one of them has.
    [{ max_turns: 1_000_000 }, allowed],
  ]) {
    const { body } = await server.post('/api/v1/episodes', { ...lumbar, config });
    assert.equal(body.max_turns, told);
    assert.equal((await server.get(`/api/v1/episodes/${body.episode_id}`)).body.max_turns, told);
  }
  const episode = await open({ config: { max_turns: 1 } });
  const { body } = await server.post(turns(episode), { messages: [gold[0]] });
  assert.equal(body.episode_complete, true);
  assert.equal(body.terminal_reason, 'max_turns_reached');
});

test('an episode can be ended, once and again, and silence earns 0', async () => {
  const episode = await open();
  const ended = await server.send('DELETE', `/api/v1/episodes/${episode}`);
  assert.equal(ended.body.terminal_reason, 'client_terminated');
  assert.equal(ended.body.grade.reward, 0);
  assert.equal(bytes((await server.send('DELETE', `/api/v1/episodes/${episode}`)).text), bytes(ended.text));
});

test('evaluate grades a conversation as a whole', async () => {
  const { status, body } = await server.post('/api/v1/evaluate', { ...lumbar, messages: gold });
  assert.equal(status, 200);
  assert.equal(body.reward, 1);
  assert.equal(body.metadata.scenario_name, 'Lumbar strain');
  assert.equal(typeof body.metadata.evaluation_time_ms, 'number');
  assert.equal(typeof body.scoring_version, 'string');
  assert.equal('normalized' in body, false);
});

test('the catalog tells after how many hours this server ends what stands idle', async () => {
  const own = await testServer({ idleMs: 90 * 60_000 });
  const path = '/api/v1/catalog/case-management/lumbar-strain';
  assert.equal((await own.get(path)).body.limits.idle_hours, 1.5);
  assert.equal((await server.get(path)).body.limits.idle_hours, 24);
  const [{ scenarios }] = (await own.get('/api/v1/catalog')).body.collections;
  assert.equal(scenarios[0].limits.idle_hours, 1.5);
});

test('a window may be larger than all that was graded', async () => {
  const windows = ['0d', '9999999999d', '99999999999999999999999999m', '99999999999999999999999999n'];
  const { status, body } = await server.post('/api/v1/evaluate', {
    ...lumbar,
    messages: [say('Where?')],
    normalization_key: 'large',
    normalization_windows: windows,
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body.normalized), windows);
});

test('evaluate normalizes within the windows of a key', async () => {
  const evaluate = (messages: unknown) =>
    server.post('/api/v1/evaluate', {
      ...lumbar,
      messages,
      normalization_key: 'run-1',
      normalization_windows: ['7d', '1n', '100n'],
    });
  assert.deepEqual((await evaluate(gold)).body.normalized, { '7d': 0, '1n': 0, '100n': 0 });
  const { normalized } = (await evaluate([gold[0]])).body;
  assert.ok(Math.abs(normalized['7d'] + 1) < 1e-9);
  assert.equal(normalized['1n'], 0);
  const many = await server.post('/api/v1/evaluate', {
    ...lumbar,
    messages: gold,
    normalization_key: 'k',
    normalization_windows: ['1d', '1d', '1d', '1d', '1d', '1d'],
  });
  assert.equal(many.status, 400);
  for (const bad of ['7x', 'd', '7', '-1d'])
    assert.equal(
      (
        await server.post('/api/v1/evaluate', {
          ...lumbar,
          messages: gold,
          normalization_key: 'k',
          normalization_windows: [bad],
        })
      ).status,
      400,
    );
});

test('compare names the winner, the margin, or a tie', async () => {
  const compare = async (a: unknown, b: unknown) =>
    (
      await server.post('/api/v1/compare', {
        ...lumbar,
        response_a: { messages: a },
        response_b: { messages: b },
      })
    ).body;
  const better = await compare(gold, [gold[0]]);
  assert.equal(better.winner, 'a');
  assert.equal(better.margin, better.reward_a - better.reward_b);
  assert.equal((await compare([gold[0]], gold)).winner, 'b');
  assert.equal((await compare(gold, gold)).winner, 'tie');
});

test('a batch answers item by item, and an item that failed has no reward', async () => {
  const { status, body } = await server.post('/api/v1/batch/evaluate', {
    items: [
      { id: 'good', ...lumbar, messages: gold },
      { id: 'unknown', collection_slug: 'case-management', scenario_slug: 'nope', messages: gold },
      { id: 'malformed', ...lumbar, messages: 'words' },
    ],
  });
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map((result: { id: string; status: string }) => [result.id, result.status]),
    [
      ['good', 'success'],
      ['unknown', 'error'],
      ['malformed', 'error'],
    ],
  );
  assert.equal(body.results[0].reward, 1);
  for (const result of body.results.slice(1)) {
    assert.equal('reward' in result, false);
    assert.equal(typeof result.message, 'string');
  }
  assert.equal(typeof body.total_time_ms, 'number');
  for (const items of [[], Array.from({ length: 101 }, (_, id) => ({ id: String(id) }))])
    assert.equal((await server.post('/api/v1/batch/evaluate', { items })).status, 400);
});

test('batches open episodes and take turns, each item once however often it is sent', async () => {
  const items = ['a', 'b'].map((id) => ({ id, ...lumbar, idempotency_key: `batch ${id}` }));
  const opened = await server.post('/api/v1/batch/episodes', { items });
  const again = await server.post('/api/v1/batch/episodes', { items });
  assert.deepEqual(again.body.results, opened.body.results);
  const [a, b] = opened.body.results.map((result: { episode_id: string }) => result.episode_id);
  const batch = {
    items: [
      { id: '1', episode_id: a, messages: [gold[0]], turn: 1 },
      { id: '2', episode_id: a, messages: [gold[1]], turn: 2 },
      { id: '3', episode_id: b, messages: [gold[0]], idempotency_key: 'x' },
      { id: '4', episode_id: 'ep_none', messages: [gold[0]] },
    ],
  };
  const played = await server.post('/api/v1/batch/turns', batch);
  assert.deepEqual(
    played.body.results.map(
      (result: { status: string; turn: number; code: string }) => result.turn ?? result.code,
    ),
    [1, 2, 1, 'episode_not_found'],
  );
  assert.deepEqual((await server.post('/api/v1/batch/turns', batch)).body.results, played.body.results);
});

test('the catalog shows collections, splits and scenarios, and never a criterion', async () => {
  const { body, text } = await server.get('/api/v1/catalog');
  const [collection] = body.collections;
  assert.equal(collection.slug, 'case-management');
  assert.equal(collection.splits[0].name, 'train');
  assert.deepEqual(Object.keys(collection.scenarios[0]), [
    'slug',
    'name',
    'description',
    'shape',
    'variants',
    'limits',
  ]);
  const one = await server.get('/api/v1/catalog/case-management/lumbar-strain');
  assert.equal(one.body.tools.length, 2);
  assert.equal(typeof one.body.briefing, 'string');
  assert.doesNotMatch(text + one.text, /criteria|expect|facts/);
  assert.equal((await server.get('/api/v1/catalog/case-management/nope')).status, 404);
});

test('a task can be named by its place in a split', async () => {
  const { body } = await server.post('/api/v1/episodes', {
    collection_slug: 'case-management',
    split: 'train',
    index: 3,
  });
  assert.equal((await server.get(`/api/v1/episodes/${body.episode_id}`)).body.variant, 3);
  for (const bad of [
    { split: 'train', index: 1e6 },
    { split: 'nope', index: 0 },
    { variant: 1e6, ...lumbar },
  ])
    assert.equal(
      (await server.post('/api/v1/episodes', { collection_slug: 'case-management', ...bad })).status,
      400,
    );
});

test('episodes are listed page by page, newest first, and filtered', async () => {
  const made: string[] = [];
  for (let index = 0; index < 5; index += 1) made.unshift(await open({ group: 'listed' }));
  const seen: string[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await server.get(
      `/api/v1/episodes?group=listed&limit=2${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...body.episodes.map((episode: { episode_id: string }) => episode.episode_id));
    if (body.next_cursor === null) break;
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen.toSorted(), made.toSorted());
  assert.equal((await server.get('/api/v1/episodes?status=complete&group=listed')).body.episodes.length, 0);
  for (const bad of ['limit=0', 'limit=201', 'cursor=!', 'status=done', 'sort=price', 'order=up'])
    assert.equal((await server.get(`/api/v1/episodes?${bad}`)).status, 400, bad);
});

test('episodes are summed up in groups, with means and intervals, and a turn is read by its number', async () => {
  const group = 'summed';
  for (const player of ['one', 'one', 'two']) {
    const episode = await open({ player, group });
    await server.post(turns(episode), { messages: [gold[0]] });
    await server.post(turns(episode), { messages: gold.slice(1) });
    await server.send('DELETE', `/api/v1/episodes/${episode}`);
    const page = (await server.get(`/api/v1/episodes/${episode}/turns?from=2&limit=1`)).body;
    assert.deepEqual(
      [page.turns.length, page.turns[0].turn, page.turn_count, page.next_from],
      [1, 2, 2, null],
    );
    const first = (await server.get(`/api/v1/episodes/${episode}/turns?limit=1`)).body;
    assert.deepEqual([first.turns[0].turn, first.next_from], [1, 2]);
  }
  const { groups } = (await server.get(`/api/v1/stats?group_by=player,group&group=${group}`)).body;
  assert.deepEqual(
    groups.map(({ by, episodes }: { by: object; episodes: number }) => [by, episodes]),
    [
      [{ player: 'one', group }, 2],
      [{ player: 'two', group }, 1],
    ],
  );
  const { episodes } = (await server.get(`/api/v1/episodes?group=${group}`)).body;
  assert.ok(Math.abs(groups[0].reward.mean - episodes[0].reward) < 1e-9);
  assert.equal(
    groups[0].histogram.reduce((sum: number, count: number) => sum + count, 0),
    2,
  );
  assert.deepEqual((await server.get('/api/v1/stats?group=nobody')).body.groups, []);
  const wrong = await server.get('/api/v1/stats?group_by=playr');
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /playr.*player, collection/);
});

test('an episode says who played it, what it took and how it came out, and is found by that', async () => {
  const card = { name: 'gold', model: 'none', parameters: { effort: 'high' }, labels: { run: '1' } };
  const episode = await open({ player: card, group: 'played' });
  await open({ player: 'somebody else', group: 'played' });
  const usage = { input_tokens: 12, output_tokens: 3, cost_usd: 0.5, latency_ms: 40.5, errors: 1 };
  await server.post(turns(episode), { messages: [gold[0]], turn: 1, usage });
  // A repeat is the same turn, whatever it took.
  assert.equal((await server.post(turns(episode), { messages: [gold[0]], turn: 1 })).status, 200);
  await server.post(turns(episode), { messages: gold.slice(1), usage: { output_tokens: 4 } });
  await server.send('DELETE', `/api/v1/episodes/${episode}`);
  const { body } = await server.get('/api/v1/episodes?group=played&player=gold');
  assert.equal(body.episodes.length, 1);
  const [summary] = body.episodes;
  assert.deepEqual(summary.player, card);
  assert.deepEqual(summary.usage, { ...usage, output_tokens: 7 });
  const { reward, success, progress, gate } = summary;
  assert.ok(reward > 0 && progress > 0);
  assert.deepEqual([success, gate], [0, 1]);
  assert.equal(Object.keys(summary.scores).length, 7);
  const detail = (await server.get(`/api/v1/episodes/${episode}`)).body;
  assert.deepEqual(detail.turns[0].usage, usage);
  const headers = { 'whetstone-player': JSON.stringify({ name: 'from afar' }) };
  const sent = await fetch(`${server.url}/api/v1/episodes`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...lumbar, group: 'header' }),
  });
  assert.equal(sent.status, 200);
  assert.equal((await server.get('/api/v1/episodes?player=from%20afar')).body.episodes.length, 1);
  for (const [player, message] of [
    [5, /^player must be a string of 1 to 200 characters or an object, not 5/],
    [{ model: 'm' }, /^player\.name is missing/],
    [
      { name: 'a', labels: { b: 1 } },
      /^player\.labels\.b must be a string of 1 to 200 characters, not a number/,
    ],
  ] as const) {
    const refused = await server.post('/api/v1/episodes', { ...lumbar, player });
    assert.deepEqual([refused.status, message.test(refused.body.message)], [400, true]);
  }
});

test('the events of an episode come as they happen and end with it', async () => {
  const episode = await open();
  await server.post(turns(episode), { messages: [gold[0]] });
  const response = await fetch(`${server.url}/api/v1/episodes/${episode}/events`);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const text = response.text();
  await server.post(turns(episode), { messages: [gold[1]] });
  await server.send('DELETE', `/api/v1/episodes/${episode}`);
  const events = [...(await text).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(events, ['turn', 'turn', 'complete']);
  const later = await fetch(`${server.url}/api/v1/episodes/${episode}/events`, {
    headers: { 'last-event-id': '1' },
  });
  assert.equal([...(await later.text()).matchAll(/^event: turn$/gm)].length, 1);
});

test('a list and its sums are searched by the words of what was said', async () => {
  const episode = await open();
  await server.post(turns(episode), { messages: [say('Did a pangolin see it?')] });
  await server.send('DELETE', `/api/v1/episodes/${episode}`);
  const found = async (q: string): Promise<string[]> => {
    const { body } = await server.get(`/api/v1/episodes?q=${encodeURIComponent(q)}`);
    return body.episodes.map(({ episode_id }: { episode_id: string }) => episode_id);
  };
  assert.deepEqual(await found('pango'), [episode]);
  assert.deepEqual(await found('"pangolin a"'), []);
  assert.equal((await server.get('/api/v1/stats?q=pangolin')).body.groups[0].episodes, 1);
});

test('one stream tells of every episode of a key that begins, takes a turn or ends', async () => {
  const seen: string[] = [];
  const abandon = new AbortController();
  const { body } = await fetch(`${server.url}/api/v1/events?after=${Date.now()}`, abandon);
  const pieces = body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const episode = await open({ player: 'ann' });
  for await (const { event, data } of pieces) {
    const { episode_id, turn_count, player, reward } = JSON.parse(data);
    if (episode_id !== episode) continue;
    seen.push(`${event} ${turn_count} ${player.name} ${reward === undefined}`);
    if (event === 'begin') await server.post(turns(episode), { messages: [gold[0]] });
    else if (event === 'turn') await server.send('DELETE', `/api/v1/episodes/${episode}`);
    else break;
  }
  abandon.abort();
  assert.deepEqual(seen, ['begin 0 ann true', 'turn 1 ann true', 'complete 1 ann false']);
  assert.equal((await server.get('/api/v1/events?after=soon')).status, 400);
});

test('the key of an open server is the local person, without limits', async () => {
  const { body } = await server.get('/api/v1/key');
  const { request_id: _, ...key } = body;
  assert.deepEqual(key, {
    key_id: 'local',
    name: null,
    expires_at: null,
    rate_limits: null,
    explain: true,
    collections: null,
  });
});

test('what is wrong with a request is said by its place', async () => {
  const episode = await open();
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ['/api/v1/episodes', undefined, /^The body must be an object, not missing/],
    ['/api/v1/episodes', [], /^The body must be an object, not a list/],
    ['/api/v1/episodes', {}, /^collection_slug is missing/],
    ['/api/v1/episodes', { collection_slug: 'case-management' }, /^scenario_slug is missing/],
    [
      '/api/v1/episodes',
      { collection_slug: 5 },
      /^collection_slug must be a string of 1 to 200 characters, not a number/,
    ],
    [
      '/api/v1/episodes',
      { ...lumbar, score_turns: 'yes' },
      /^score_turns must be true or false, not a string/,
    ],
    [
      '/api/v1/episodes',
      { ...lumbar, variant: -1 },
      /^variant must be an integer ≥ 0 and ≤ 9007199254740991, not -1/,
    ],
    ['/api/v1/episodes', { ...lumbar, config: [] }, /^config must be an object/],
    ['/api/v1/episodes', { ...lumbar, group: 'a\u0000b' }, /^group must not hold control characters/],
    [turns(episode), {}, /^messages is missing/],
    [turns(episode), { messages: [] }, /^messages must be a list of 1 to 10000 items, but has 0/],
    [
      turns(episode),
      { messages: [{ role: 'system', content: '' }] },
      /^messages\[0\]\.role must be one of "assistant", "user", not "system"/,
    ],
    [turns(episode), { messages: [{ role: 'assistant' }] }, /^messages\[0\]\.content is missing/],
    [
      turns(episode),
      { messages: [say('x'.repeat(10_001))] },
      /^messages\[0\]\.content must be a string of at most 10000 characters, but has 10001/,
    ],
    [
      turns(episode),
      { messages: [{ content: '', tool_calls: [{ input: {} }] }] },
      /^messages\[0\]\.tool_calls\[0\]\.name/,
    ],
    [
      turns(episode),
      { messages: [{ content: '', tool_calls: [{ name: 'a', type: 'x' }] }] },
      /tool_calls\[0\]\.type must be/,
    ],
    [turns(episode), { messages: gold, id: 'ep_other' }, /^id names a different episode/],
    [turns(episode), { messages: gold, reward_config: {} }, /^reward_config\.quality_weights/],
    [
      turns(episode),
      { messages: gold, reward_config: { quality_weights: { joy: 1 } } },
      /quality_weights\.joy is not a field here \(known: success_metrics, /,
    ],
    [
      turns(episode),
      { messages: gold, reward_config: { quality_weights: { rubrics: -1 } } },
      /quality_weights\.rubrics must be a number ≥ 0 and ≤ 1000000, not -1/,
    ],
    [
      '/api/v1/evaluate',
      { ...lumbar, messages: gold, normalization_windows: ['1d'] },
      /needs normalization_key/,
    ],
    ['/api/v1/compare', { ...lumbar, response_a: { messages: gold } }, /^response_b is missing/],
  ];
  for (const [path, body, message] of cases) {
    const answer = await server.post(path, body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.message, message);
    assert.equal(answer.body.data.code, 'invalid_request');
  }
  assert.equal((await server.get(`/api/v1/episodes/${episode}`)).body.turn_count, 0);
});

test('ten thousand characters are code points', async () => {
  const episode = await open();
  assert.equal((await server.post(turns(episode), { messages: [say('👋'.repeat(10_000))] })).status, 200);
  assert.equal((await server.post(turns(episode), { messages: [say('👋'.repeat(10_001))] })).status, 400);
});

test('bodies that are not JSON, too large, too deep or too wide are refused', async () => {
  const send = (body: string | Uint8Array) => server.send('POST', '/api/v1/episodes', body);
  const codes = async (body: string | Uint8Array) => {
    const answer = await send(body);
    return [answer.status, answer.body.data.code];
  };
  assert.deepEqual(await codes('{"collection_slug":'), [400, 'invalid_json']);
  assert.deepEqual(await codes(new Uint8Array([0x22, 0xff, 0xfe, 0x22])), [400, 'invalid_json']);
  assert.deepEqual(await codes('['.repeat(65) + ']'.repeat(65)), [400, 'invalid_json']);
  assert.deepEqual(await codes(`[${'1,'.repeat(10_001)}1]`), [400, 'invalid_json']);
  assert.deepEqual(await codes(`"${'x'.repeat(1_048_576)}"`), [413, 'too_large']);
  assert.equal((await send('['.repeat(64) + ']'.repeat(64))).body.data.code, 'invalid_request');
  const wide = JSON.stringify({ ...lumbar, config: { list: Array.from({ length: 9_000 }, () => 1) } });
  assert.equal((await send(wide)).status, 200);
});

test('unknown paths and methods are refused in the same envelope', async () => {
  const path = await server.get('/api/v1/nothing');
  assert.deepEqual([path.status, path.body.data.code], [404, 'not_found']);
  const method = await server.send('PUT', '/api/v1/episodes');
  assert.deepEqual([method.status, method.body.data.code], [405, 'method_not_allowed']);
  assert.equal(method.headers.get('allow'), 'POST, GET, HEAD');
  const document = await server.send('POST', '/api/v1/openapi.json', '{}');
  assert.deepEqual([document.status, document.headers.get('allow')], [405, 'GET, HEAD']);
  assert.equal((await server.get('/api/v1/episodes/%00')).body.message, 'Episode not found: %00');
  assert.equal((await server.get('/api/v1/episodes/ep_none')).body.message, 'Episode not found: ep_none');
  assert.equal((await server.post(turns('ep_none'), { messages: gold })).status, 404);
});

/** What clients send to measure turns: many at once, and one that waits for each answer. */
import { median, quantile, round } from './harness.ts';
import { Connection, type ServerProcess } from './http-driver.ts';

/** What is sent in an episode of ten turns. Each turn is one that was not sent before: what a server remembers is no help. */
export interface Work {
  readonly task: Readonly<Record<string, string | number | boolean>>;
  readonly messages: (turn: number, count: number) => readonly object[];
}

const questions = [
  'Hello, I am the case manager for your claim. Can you tell me how it happened?',
  'Thank you. When did it happen, and where were you at the time?',
  'Whom did you report it to, and have you seen a doctor about it?',
  'How bad is the pain right now, on a scale from 0 to 10? And did the doctor give you any work restrictions?',
  'Do you have any numbness or weakness in your legs? And have you ever had back problems before?',
  'What is your job, and how long have you had it?',
  'Is there anything else that I should know about the accident?',
  'Who else was there when it happened?',
  'What did your supervisor say to you afterwards?',
  'Thank you, that is all for now.',
];
const turnsOfEpisode = questions.length;

/** A person is asked, and has to understand. */
export const words: Work = {
  task: { collection_slug: 'case-management', scenario_slug: 'lumbar-strain', score_turns: true },
  messages: (turn, count) => [
    { role: 'assistant', content: questions[turn]?.replace(/[.?]$/, (end) => ` (${count})${end}`) },
  ],
};

/** A tool of the world is called. */
export const calls: Work = {
  task: { collection_slug: 'customer-support', scenario_slug: 'cancel-order', score_turns: true },
  messages: (turn, count) => {
    const call =
      turn % 2 === 0
        ? { name: 'find_orders', input: { email: `customer.${count}@example.com` } }
        : { name: 'look_up_order', input: { order_id: `E-${count}` } };
    return [{ role: 'assistant', content: '', tool_calls: [{ type: 'function', ...call }] }];
  },
};

const turnBody = (work: Work, turn: number, count: number): string =>
  JSON.stringify({ turn: turn + 1, messages: work.messages(turn, count) });

export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the server, for one turn, in microseconds. */
  readonly cpu: number;
}

async function openEpisodes(line: Connection, work: Work, count: number): Promise<string[]> {
  const episodes: string[] = [];
  for (let left = count; left > 0; left -= 1) {
    const answer = await line.ask('POST', '/api/v1/episodes', JSON.stringify(work.task));
    episodes.push((JSON.parse(answer.body) as { episode_id: string }).episode_id);
  }
  return episodes;
}

let sent = 0;

async function playTurn(line: Connection, work: Work, episode: string, turn: number): Promise<number> {
  const text = turnBody(work, turn, (sent += 1));
  const begun = performance.now();
  const { status, body } = await line.ask('POST', `/api/v1/episodes/${episode}/turns`, text);
  if (status !== 200) throw new Error(`${status}: ${body}`);
  return performance.now() - begun;
}

/** Plays episodes of ten turns on each connection for so long; only the turns are counted and timed. */
export async function playMany({ server, floor, work }: Contender, seconds = 2): Promise<Load> {
  const connections = 50;
  const times: number[] = [];
  const lines = Array.from({ length: connections }, () => new Connection(server.port));
  // Opened beforehand, so that the clock runs over turns alone.
  const opened = await Promise.all(
    lines.map((line) => openEpisodes(line, work, floor ? 0 : Math.ceil((seconds * 1500) / connections))),
  );
  const cpu = server.cpu();
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    lines.map(async (line, index) => {
      for (let at = 0; performance.now() < until; at += 1) {
        const episode = floor ? 'ep' : opened[index]?.[at];
        if (episode === undefined) throw new Error('More turns were answered than episodes were opened for.');
        for (let turn = 0; turn < turnsOfEpisode; turn += 1)
          times.push(await playTurn(line, work, episode, turn));
      }
    }),
  );
  const took = (performance.now() - started) / 1000;
  for (const line of lines) line.close();
  return {
    perSecond: times.length / took,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: ((server.cpu() - cpu) * 1000) / times.length,
  };
}

/** 256 sessions × 10 calls from one client that waits for each answer: milliseconds for one call. */
export async function playAlone({ server, floor, work }: Contender): Promise<number> {
  const line = new Connection(server.port);
  const sessions = floor ? Array.from({ length: 256 }, () => 'ep') : await openEpisodes(line, work, 256);
  const times: number[] = [];
  for (let turn = 0; turn < turnsOfEpisode; turn += 1)
    for (const session of sessions) times.push(await playTurn(line, work, session, turn));
  line.close();
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** An answer to a turn, for floors that answer with as many bytes. */
export async function sampleAnswer(port: number): Promise<string> {
  const line = new Connection(port);
  const created = await line.ask('POST', '/api/v1/episodes', JSON.stringify(words.task));
  const { episode_id } = JSON.parse(created.body) as { episode_id: string };
  const { body } = await line.ask('POST', `/api/v1/episodes/${episode_id}/turns`, turnBody(words, 0, 0));
  line.close();
  return body;
}

export interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  /** It answers whatever it is asked, and has no episodes. */
  readonly floor: boolean;
  readonly work: Work;
}

/** What was measured of one contender, in the middle of its rounds. */
export interface Standing extends Load {
  /** Milliseconds a call of one client that waits for each answer. */
  readonly alone: number;
}

/** Measures contenders in turns, and stops them. */
export async function compete(
  contenders: readonly Contender[],
  rounds: number,
): Promise<ReadonlyMap<string, Standing>> {
  const seen = new Map<string, Standing[]>(contenders.map(({ name }) => [name, []]));
  try {
    // As a server that has run for a while: V8 compiles for some 25,000 turns, beside them.
    for (const contender of contenders) {
      await playMany(contender, 10);
      await playAlone(contender);
    }
    for (let turn = 0; turn < Math.min(rounds, 5); turn += 1)
      for (const contender of contenders) {
        const load = await playMany(contender);
        const alone = await playAlone(contender);
        seen.get(contender.name)?.push({ ...load, alone });
      }
  } finally {
    await Promise.all([...new Set(contenders.map(({ server }) => server))].map((server) => server.stop()));
  }
  const middle = (all: readonly Standing[], pick: (one: Standing) => number): number => median(all.map(pick));
  return new Map(
    [...seen].map(([name, all]) => [
      name,
      {
        perSecond: middle(all, (one) => one.perSecond),
        p50: middle(all, (one) => one.p50),
        p99: middle(all, (one) => one.p99),
        cpu: middle(all, (one) => one.cpu),
        alone: middle(all, (one) => one.alone),
      },
    ]),
  );
}

/** The table of a claim, a row a contender. */
export function rowsOf(standings: ReadonlyMap<string, Standing>) {
  return [...standings].map(([server, { perSecond, p50, p99, cpu, alone }]) => ({
    server,
    'turns/s, 50 connections': Math.round(perSecond),
    'p50, ms': round(p50),
    'p99, ms': round(p99),
    'processor, µs a turn': round(cpu),
    'one client that waits, ms a call': round(alone),
  }));
}

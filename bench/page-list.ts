import type { Store } from '../src/grade/store/store.ts';
import { bareEpisode, bareTurn } from '../src/grade/store/testing/bare-record.ts';
import { type Claim, median, round } from './harness.ts';
import { openLook } from './page/look.ts';
import { serveFilled } from './page/serve.ts';

const episodes = Number(process.env['WHET_EPISODES'] ?? 10_000);
/** The word that one in a hundred of them has. */
const word = 'scaffold';

export const claim: Claim = {
  name: 'page-list',
  alone: true,
  title: `the page lists, filters and searches ${episodes.toLocaleString('en')} episodes without anybody waiting for it`,
  async measure({ rounds }) {
    await using served = await serveFilled((store) => fill(store));
    await using look = await openLook();
    const list = `${served.url}/#/episodes`;
    await look.open(`${list}?q=${word}`, 'tbody tr'); // What is said in them is read once, and then found.
    const waits = new Map<string, number[]>();
    let nodes = 0;
    for (let time = 0; time < Math.min(rounds, 9); time++) {
      const go = (query: string): string => `location.hash = '#/episodes${query}'`;
      const asked: Readonly<Record<string, () => Promise<number>>> = {
        'all, newest first': () => look.open(list, 'tbody tr'),
        'of one player': () =>
          look.act(go(`?player=player${time}`), 'tbody td[data-name=player]', `player${time}`),
        'of one scenario': () =>
          look.act(go(`?scenario=scenario${time}`), 'tbody td.main', `scenario${time}`),
        'by reward, the least first': () =>
          look.act(
            go(`?sort=reward&order=ascending&player=player${time}`),
            'th[aria-sort=ascending]',
            'Reward',
          ),
        'with a word in them': () => look.act(go(`?q=${word}`), 'tbody td[data-name=group]', word),
      };
      for (const [what, ask] of Object.entries(asked)) {
        waits.set(what, [...(waits.get(what) ?? []), await ask()]);
        nodes = Math.max(nodes, await look.nodes());
      }
    }
    const rows = [...waits].map(([what, all]) => ({
      what,
      'median, ms': round(median(all)),
      'slowest, ms': round(Math.max(...all)),
    }));
    return {
      rows,
      limits: [
        {
          says: 'ms until the first rows are painted, the slowest of all questions',
          measured: Math.max(...rows.map((row) => row['median, ms'])),
          atMost: 300,
        },
        { says: 'nodes in the page', measured: nodes, atMost: 3000 },
      ],
      notes: [
        'In Chromium, 1280 × 900, over HTTP on one machine, SQLite. The first row is opened anew each time.',
      ],
    };
  },
};

async function fill(store: Store): Promise<void> {
  for (let number = 0; number < episodes; number++) {
    const isFound = number % 100 === 0;
    const id = `ep_${String(number).padStart(9, '0')}`;
    const record = bareEpisode(id, {
      collection: 'bench',
      scenario: `scenario${number % 20}`,
      player: `player${Math.floor(number / 20) % 10}`,
      playerCard: JSON.stringify({ name: `player${Math.floor(number / 20) % 10}` }),
      group: isFound ? word : `group ${Math.floor(number / 8)}`,
      status: 'complete',
      terminalReason: 'completed',
      turnCount: 1 + (number % 30),
      reward: (number % 101) / 100,
      success: number % 2,
      progress: (number % 101) / 100,
      gate: 1,
      scores: '{"discovery":1}',
      createdAt: 1_790_000_000_000 + number * 1000,
      updatedAt: 1_790_000_000_000 + number * 1000,
    });
    const content = `Episode ${number}: what did the crate weigh${isFound ? ` under the ${word}` : ''}?`;
    const messages = JSON.stringify([{ role: 'assistant', content }]);
    await store.restoreEpisode(record, [bareTurn(id, 1, { messages })]);
  }
}

/** Each provider's spelling of each action arrives as it is meant, in a real browser and on a real X display. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import type { Action } from '../../../base/message/action.ts';
import { keyAliases } from '../../../base/message/key-names.ts';
import { canonicalKey } from '../../../base/message/keys.ts';
import { checkAction } from '../../../run/computer/check-action.ts';
import { pageSubject } from '../../../run/computer/browser/page-subject.fixture.ts';
import type { Arrival, ContractSubject } from '../../../run/computer/contract.fixture.ts';
import { openDesktop } from '../../../run/computer/desktop/desktop.ts';
import { bareDisplay, missing, xSubject, XEvents } from '../../../run/computer/desktop/x-events.fixture.ts';
import { performChecked } from '../../../run/computer/perform.ts';
import { ComputerBlocks } from '../../../wire/computer-block.ts';
import { type Meaning, meanings } from './spellings.fixture.ts';

const screen = { width: 900, height: 700 };

/** Parts one meaning's arrivals from the next one's. */
const mark = 'F9';

/** The different readings of what means the same: most providers say one and the same action. */
function readings({ said }: Meaning): readonly (readonly Action[])[] {
  const read = said.map(({ api, tool, blocks }) =>
    blocks.flatMap((block) => new ComputerBlocks(api, tool).read(block).actions ?? []),
  );
  const bare = ({ callId: _id, raw: _raw, batch: _batch, intent: _intent, ...rest }: Action): object => rest;
  return [...new Map(read.map((actions) => [JSON.stringify(actions.map(bare)), actions])).values()];
}

function words(arrival: Arrival): string {
  switch (arrival.kind) {
    case 'press':
    case 'release': {
      const { kind, button, at, held, count } = arrival;
      return `${`${kind} ${button} ${at} ${held}`.trim()}${count === undefined ? '' : ` x${count}`}`;
    }
    case 'drag':
      return `drag ${arrival.at}`;
    case 'wheel':
      return `wheel ${arrival.way} ${arrival.pixels} ${arrival.held}`.trim();
    default:
      return `${arrival.kind} ${canonicalKey(arrival.key)}`;
  }
}

/** Of a drag only the points that are asked for; wheels that turn on as one. */
function told(arrivals: readonly Arrival[], arrives: readonly string[]): readonly string[] {
  const all: Arrival[] = [];
  for (const each of arrivals) {
    const last = all.at(-1);
    if (each.kind === 'wheel' && last?.kind === 'wheel' && each.way === last.way)
      all.splice(-1, 1, { ...each, pixels: each.pixels + last.pixels });
    else all.push(each);
  }
  const said = all.map(words);
  return said.filter(
    (each, at) => !each.startsWith('drag') || (arrives.includes(each) && said[at - 1] !== each),
  );
}

/** A display counts no clicks, its wheel has notches alone, and a sign above another one comes with Shift. */
function onDisplay(arrives: readonly string[]): readonly string[] {
  return arrives.flatMap((each) => {
    if (each === 'down +') return ['down Shift', each];
    if (each === 'up +') return [each, 'up Shift'];
    return each
      .replace(/ x\d$/, '')
      .replace(/(?<=^wheel \w+ )\d+/, (by) => String(Math.max(1, Math.round(Number(by) / 100)) * 100));
  });
}

interface Kind {
  readonly open: () => Promise<ContractSubject>;
  readonly expected: (arrives: readonly string[]) => readonly string[];
  readonly skip: string | false;
}

const kinds: Readonly<Record<string, Kind>> = {
  'a browser': {
    open: () => pageSubject({ screen }),
    expected: (arrives) => arrives,
    skip: false,
  },
  'an X display': {
    open: async () => {
      const ends = new AsyncDisposableStack();
      const events = ends.use(new XEvents());
      const [program, , script] = events.command;
      const display = await bareDisplay(screen, ends);
      return xSubject(await openDesktop({ display, run: `${program} -c "${script}"` }), events, ends);
    },
    expected: onDisplay,
    skip: missing('xvfb x11-utils', 'Xvfb', 'xev'),
  },
};

for (const [name, { open, expected, skip }] of Object.entries(kinds))
  describe(name, { skip }, () => {
    let subject: ContractSubject;
    let arrived: readonly (readonly Arrival[])[];
    const asked = meanings.flatMap((meaning) => readings(meaning).map((actions) => ({ meaning, actions })));
    before(async () => {
      subject = await open();
      const { computer } = subject;
      const { signal } = new AbortController();
      const context = { signal, display: screen, javascript: false };
      const begin: Action = { type: 'left_mouse_click', xy: [450, 350] };
      const all = await subject.received(async () => {
        for (const actions of [[begin], ...asked.map((each) => each.actions)]) {
          for (const action of actions) {
            checkAction(action, {
              display: screen,
              screen: computer.screen,
              pace: computer.pace,
              timeout: 15,
            });
            await performChecked(action, computer, context);
          }
          await computer.keyDown(mark, signal);
          await computer.keyUp(mark, signal);
        }
      });
      const groups: Arrival[][] = [[]];
      for (const each of all)
        if (!('key' in each) || each.key !== mark) groups.at(-1)!.push(each);
        else if (each.kind === 'up') groups.push([]);
      arrived = groups.slice(1);
    });
    after(() => subject[Symbol.asyncDispose]());

    for (const [at, { meaning, actions }] of asked.entries())
      test(`${meaning.means}, as in ${JSON.stringify(actions[0]!.raw)}`, () => {
        const { arrives, holds } = meaning;
        const seen = arrived[at]!;
        assert.deepEqual(told(seen, arrives), expected(arrives));
        if (holds === undefined) return;
        const [from, to] = [seen[0], seen.at(-1)].map((each) => (each && 'time' in each ? each.time : 0));
        assert.ok(to! - from! >= holds * 1000 - 10, `held for ${to! - from!} ms`);
      });

    test('every key that has a name', async () => {
      const all = new Set([
        ...keyAliases.values(),
        ...Array.from({ length: 24 }, (_, index) => `F${index + 1}`),
      ]);
      const named = [...all].filter((key) => key !== 'ControlOrMeta');
      const { signal } = new AbortController();
      const seen = await subject.received(async () => {
        for (const key of named) {
          await subject.computer.keyDown(key, signal);
          await subject.computer.keyUp(key, signal);
        }
      });
      const downs = seen.flatMap((each) => (each.kind === 'down' ? [canonicalKey(each.key)] : []));
      // A sign above another one comes with a Shift of its own on a display.
      assert.deepEqual(
        downs.filter((key, at) => key !== 'Shift' || downs[at - 1] === 'AltGraph'),
        named,
      );
    });
  });

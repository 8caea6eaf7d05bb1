import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Action } from '../../../base/message/action.ts';
import { readPng } from '../../display/picture/png.ts';
import { ComputerSession, type CallOutcome } from '../session.ts';
import type { Computer } from '../computer.ts';
import { openDesktop } from './desktop.ts';
import { missing, type XEvent, XEvents } from './x-events.fixture.ts';

const skip = missing('xvfb openbox x11-utils', 'Xvfb', 'xev');

let events: XEvents;
let computer: Computer;
let session: ComputerSession;
before(async () => {
  if (skip !== false) return;
  events = new XEvents();
  const [program, , script] = events.command;
  computer = await openDesktop({ run: `${program} -c "${script}"`, screen: { width: 900, height: 700 } });
  session = new ComputerSession(computer, { timeout: 5 });
});
after(async () => {
  if (skip !== false) return;
  await computer[Symbol.asyncDispose]();
  events[Symbol.dispose]();
});

function perform(...actions: readonly Action[]): Promise<CallOutcome> {
  return session.perform({ actions, display: { width: 900, height: 700 } });
}

/** What the window got while the actions were done, of some kinds. */
async function received(kinds: RegExp, ...actions: readonly Action[]): Promise<readonly XEvent[]> {
  const done = async (): Promise<void> => {
    const { failure } = await perform(...actions);
    assert.equal(failure?.message, undefined);
  };
  const seen = await events.during(done, (to) => perform({ type: 'move', xy: to }));
  return seen.filter(({ kind }) => kinds.test(kind));
}

test('every button of a display is its own, and what is held is held', { skip }, async () => {
  const types = ['left_mouse_click', 'middle_click', 'right_click', 'back_click', 'forward_click'] as const;
  const clicks = types.map((type): Action => ({ type, xy: [300, 320] }));
  const seen = await received(/ButtonPress/, { type: 'move', xy: [250, 300] }, ...clicks, {
    type: 'left_mouse_double_click',
    xy: [301, 321],
    modifiers: ['Control'],
  });
  assert.deepEqual(
    seen.map(({ button, root, state }) => [button, root, state & 4]),
    [
      [1, '300,320', 0],
      [2, '300,320', 0],
      [3, '300,320', 0],
      [8, '300,320', 0],
      [9, '300,320', 0],
      [1, '301,321', 4],
      [1, '301,321', 4],
    ],
  );
});

test('notches are clicks of the wheel, and pixels are rounded to them, at least one', { skip }, async () => {
  const seen = await received(
    /ButtonPress/,
    { type: 'scroll', startXy: [300, 300], direction: 'down', magnitude: 2, unit: 'notch' },
    { type: 'scroll', direction: 'up', magnitude: 1, unit: 'notch' },
    { type: 'scroll', distanceXy: [30, 0] },
    { type: 'scroll', distanceXy: [-249, 0] },
    { type: 'scroll', direction: 'down', magnitude: 0, unit: 'notch' },
  );
  assert.deepEqual(
    seen.map(({ button }) => button),
    [5, 5, 4, 7, 6, 6],
  );
});

test('keys and chords arrive by the names that X has for them', { skip }, async () => {
  const seen = await received(
    /Key(Press|Release)/,
    { type: 'left_mouse_click', xy: [300, 300] },
    { type: 'keypress', keys: ['Control', 'Shift', 'a'] },
    { type: 'keypress', keys: ['F5'] },
    { type: 'type', text: 'aB~é\t\n' },
  );
  const down = seen.filter(({ kind }) => kind === 'KeyPress').map(({ keysym }) => keysym);
  const rest = down.slice(0, 4);
  assert.deepEqual(rest, ['Control_L', 'Shift_L', 'A', 'F5']);
  assert.deepEqual(
    down.slice(4).filter((keysym) => keysym !== 'Shift_L'),
    ['a', 'B', 'asciitilde', 'eacute', 'Tab', 'Return'],
  );
  assert.deepEqual(
    seen
      .slice(0, 6)
      .filter(({ kind }) => kind === 'KeyRelease')
      .map(({ keysym }) => keysym?.toLowerCase()),
    ['a', 'shift_l', 'control_l'],
  );
});

test('a drag goes along its path with the button down', { skip }, async () => {
  const seen = await received(/Button|Motion/, {
    type: 'drag',
    xy: [
      [200, 200],
      [400, 200],
      [400, 350],
    ],
  });
  const from = seen.findIndex(({ kind }) => kind === 'ButtonPress');
  const to = seen.findIndex(({ kind }) => kind === 'ButtonRelease');
  assert.deepEqual([seen[from]?.root, seen[to]?.root], ['200,200', '400,350']);
  const way = seen
    .slice(from, to)
    .filter(({ kind, state }) => kind === 'MotionNotify' && (state & 0x100) !== 0);
  assert.ok(way.some(({ root }) => root === '400,200'));
  assert.ok(way.length >= 4);
});

test(
  'the pointer is where it is, also when somebody else moved it; a picture is of the screen',
  { skip },
  async () => {
    await perform({ type: 'move', xy: [512, 384] });
    assert.deepEqual((await perform({ type: 'cursor_position' })).texts, ['X=512,Y=384']);
    const { picture } = await session.perform({
      actions: [{ type: 'screenshot' }],
      display: { width: 450, height: 350 },
    });
    const { width, height } = readPng(picture!);
    assert.deepEqual([width, height], [450, 350]);
    const { failure } = await perform({ type: 'navigate', url: 'https://example.com' });
    assert.equal(failure?.code, 'action_unsupported');
  },
);

test('a display and a program that are not there are named', async () => {
  await assert.rejects(openDesktop({ display: 4711 }), { code: 'computer_missing' });
  if (skip === false)
    await assert.rejects(openDesktop({ run: 'no-such-program here' }), { code: 'computer_missing' });
});

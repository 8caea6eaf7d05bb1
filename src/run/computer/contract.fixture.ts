/** What every real computer does alike, whatever it is made of: one suite, run over each of them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import type { Action } from '../../base/message/action.ts';
import { readPng } from '../display/picture/png.ts';
import type { Button, Computer } from './computer.ts';
import { type CallOutcome, ComputerSession } from './session.ts';

/** Something that a program on the computer received. */
export type Arrival =
  | {
      readonly kind: 'press' | 'release';
      readonly button: Button;
      readonly at: string;
      /** The modifiers that were down, as in `Control+Shift`. */
      readonly held: string;
      /** Which press of a double or triple click it is, where the program is told. */
      readonly count?: number;
    }
  | { readonly kind: 'drag'; readonly at: string }
  | {
      readonly kind: 'wheel';
      readonly way: 'up' | 'down' | 'left' | 'right';
      readonly held: string;
      readonly pixels: number;
    }
  | {
      readonly kind: 'down' | 'up';
      readonly key: string;
      /** In milliseconds of the program's own clock. */
      readonly time: number;
    };

/** A computer with a program on it that tells what it receives, and takes text that is typed. */
export interface ContractSubject extends AsyncDisposable {
  readonly computer: Computer;
  /** What arrived while the actions were done. */
  received(work: () => Promise<void>): Promise<readonly Arrival[]>;
  /** The text that arrived while some was typed. */
  typed(work: () => Promise<void>): Promise<string>;
}

export interface ContractOptions {
  readonly skip?: string | false;
  /** Buttons for back and forward. */
  readonly hasSideButtons?: boolean;
  /** A wheel that also turns left and right. */
  readonly hasSideways?: boolean;
}

const square = { x: 200, y: 150, width: 40, height: 30 };

/** Runs the suite over a computer whose masks are `contractMasks`. Nothing else may lie between (150, 120) and (500, 400). */
export function computerContract(
  name: string,
  open: () => Promise<ContractSubject>,
  { skip = false, hasSideButtons = true, hasSideways = true }: ContractOptions = {},
): void {
  describe(`the contract of computers: ${name}`, { skip }, () => {
    let subject: ContractSubject;
    let session: ComputerSession;
    before(async () => {
      subject = await open();
      session = new ComputerSession(subject.computer, { timeout: 10 });
    });
    after(() => subject[Symbol.asyncDispose]());

    const attempt = (...actions: readonly Action[]): Promise<CallOutcome> =>
      session.perform({ actions, display: subject.computer.screen });
    const done = async (...actions: readonly Action[]): Promise<CallOutcome> => {
      const outcome = await attempt(...actions);
      assert.equal(outcome.failure?.message, undefined);
      return outcome;
    };
    const received = (...actions: readonly Action[]): Promise<readonly Arrival[]> =>
      subject.received(async () => void (await done(...actions)));

    test('a click is a press and a release at its place, by its button, with what is held', async () => {
      const seen = await received(
        { type: 'left_mouse_click', xy: [300, 320] },
        { type: 'right_click', xy: [301, 321], modifiers: ['Control'] },
        { type: 'middle_click', xy: [302, 322] },
        ...(hasSideButtons ? [{ type: 'back_click', xy: [303, 323] } as const] : []),
      );
      assert.deepEqual(
        seen.flatMap((each) => (each.kind === 'press' ? [[each.button, each.at, each.held]] : [])),
        [
          ['left', '300,320', ''],
          ['right', '301,321', 'Control'],
          ['middle', '302,322', ''],
          ...(hasSideButtons ? [['back', '303,323', '']] : []),
        ],
      );
      assert.equal(seen.filter(({ kind }) => kind === 'release').length, hasSideButtons ? 4 : 3);
      if (hasSideButtons) return;
      const { failure } = await attempt({ type: 'back_click', xy: [303, 323] });
      assert.equal(failure?.code, 'action_unsupported');
    });

    test('without a place it happens where the cursor is, and the cursor is told as it is', async () => {
      const seen = await received({ type: 'move', xy: [310, 330] }, { type: 'left_mouse_click' });
      assert.ok(seen.some((each) => each.kind === 'press' && each.at === '310,330'));
      await done({ type: 'move', xy: [311, 331] });
      assert.deepEqual((await done({ type: 'cursor_position' })).texts, ['X=311,Y=331']);
    });

    test('a place beyond the screen is an error that says the bounds, and nothing is begun', async () => {
      const { width, height } = subject.computer.screen;
      const seen = await subject.received(async () => {
        const path = [
          [300, 300],
          [width, 300],
        ] as const;
        const { failure } = await attempt({ type: 'drag', xy: path });
        assert.equal(failure?.code, 'point_outside');
        assert.match(failure.message, new RegExp(`${width - 1}.*${height - 1}`));
      });
      assert.deepEqual(
        seen.filter(({ kind }) => kind !== 'drag'),
        [],
      );
    });

    test('a drag goes along its path with the button down', async () => {
      const corner = [400, 300] as const;
      const seen = await received({ type: 'drag', xy: [[300, 300], corner, [400, 350]] });
      const from = seen.findIndex(({ kind }) => kind === 'press');
      const to = seen.findIndex(({ kind }) => kind === 'release');
      const ends = [seen[from], seen[to]].map((each) => (each !== undefined && 'at' in each ? each.at : ''));
      assert.deepEqual(ends, ['300,300', '400,350']);
      const way = seen.slice(from, to).flatMap((each) => (each.kind === 'drag' ? [each.at] : []));
      assert.ok(way.includes('400,300'), `it went by ${way.join(' ')}`);
      assert.ok(way.length > 3);
    });

    test('a chord is pressed together and let go in reverse, and no key is left down', async () => {
      const seen = await received({ type: 'keypress', keys: ['Control', 'Shift', 'a'] });
      assert.deepEqual(
        seen.flatMap((each) => ('key' in each ? [`${each.kind} ${each.key}`] : [])),
        ['down Control', 'down Shift', 'down A', 'up A', 'up Shift', 'up Control'],
      );
      assert.equal((await attempt({ type: 'keypress', keys: ['Nokey'] })).failure?.code, 'key_unknown');
    });

    test('text arrives whole and in order, also beyond the keyboard', async () => {
      const text = 'aB~ é€ и 9!';
      assert.equal(await subject.typed(async () => void (await done({ type: 'type', text }))), text);
    });

    test('notches are clicks of the wheel, each way', async () => {
      const seen = await received(
        { type: 'scroll', startXy: [300, 300], direction: 'down', magnitude: 2, unit: 'notch' },
        { type: 'scroll', direction: 'up', magnitude: 1, unit: 'notch' },
        ...(hasSideways
          ? [{ type: 'scroll', direction: 'right', magnitude: 1, unit: 'notch' } as const]
          : []),
      );
      assert.deepEqual(
        seen.flatMap((each) => (each.kind === 'wheel' ? [each.way] : [])),
        ['down', 'down', 'up', ...(hasSideways ? ['right'] : [])],
      );
    });

    test('a picture is the screen at the size asked for, and what is masked is painted over', async () => {
      const display = { width: 450, height: 350 };
      const { picture } = await session.perform({ actions: [{ type: 'screenshot' }], display });
      const { width, height, data } = readPng(picture!);
      assert.deepEqual({ width, height }, display);
      const { screen } = subject.computer;
      const x = Math.round(((square.x + square.width / 2) * width) / screen.width);
      const y = Math.round(((square.y + square.height / 2) * height) / screen.height);
      const pixel = (y * width + x) * 4;
      assert.deepEqual([...data.subarray(pixel, pixel + 3)], [128, 128, 128]);
      assert.ok(
        data.some((value, at) => at % 4 !== 3 && value !== 128),
        'the rest is there to be seen',
      );
    });

    test('a call that is broken off ends at once, and the next one is done', async () => {
      const controller = new AbortController();
      const wait: Action = { type: 'wait', duration: 200 };
      const broken = session.perform({
        actions: [wait],
        display: subject.computer.screen,
        signal: controller.signal,
      });
      controller.abort(new Error('Enough.'));
      assert.notEqual((await broken).failure, undefined);
      await done({ type: 'move', xy: [320, 320] });
    });
  });
}

export const contractMasks = [square];

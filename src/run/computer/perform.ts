import { sleep } from '../../base/host/clock.ts';
import type { Action, Point } from '../../base/message/action.ts';
import { fromScreen, toScreen } from '../../base/message/frame.ts';
import type { Frame } from '../../base/message/frame.ts';
import { finished, untilAborted } from '../display/deadline.ts';
import { drag } from './drag.ts';
import { type Effect, noWay, type PerformContext } from './effect.ts';
import type { Button, Computer } from './computer.ts';
import { pressChord, typeText, withKeys } from './keyboard.ts';
import { performOnPage } from './perform-on-page.ts';
import { turnWheel } from './turn-wheel.ts';

/** Does an action that was checked. What it pressed is let go also when it fails. */
export async function performChecked(
  action: Action,
  computer: Computer,
  context: PerformContext,
): Promise<Effect> {
  const { signal, display } = context;
  signal.throwIfAborted();
  if (action.tab !== undefined && action.type !== 'tab_close' && action.type !== 'tab_switch')
    await tabsOf(computer, action).switchTo(action.tab, signal);
  const frame: Frame = action.frame ?? { kind: 'image', ...display };
  const place = (point: Point): Point => toScreen(point, frame, computer.screen);
  const moveTo = async (point: Point | null | undefined): Promise<void> => {
    const to = await targetOf(action, point, place, computer, signal);
    if (to !== undefined) await computer.move(to, signal);
  };
  const held = action.modifiers ?? [];
  const click = (button: Button, count: number, point: Point | null | undefined): Promise<void> =>
    withKeys(held, computer, signal, async () => {
      await moveTo(point);
      for (let each = 1; each <= count; each++) {
        const press = (): Promise<void> => computer.press(button, each, signal);
        await finished(press, [(grace) => computer.release(button, each, grace)], signal);
      }
    });
  switch (action.type) {
    case 'left_mouse_click':
      await click('left', 1, action.xy);
      break;
    case 'left_mouse_double_click':
      await click('left', 2, action.xy);
      break;
    case 'left_mouse_triple_click':
      await click('left', 3, action.xy);
      break;
    case 'middle_click':
      await click('middle', 1, action.xy);
      break;
    case 'right_click':
      await click('right', 1, action.xy);
      break;
    case 'back_click':
      await click('back', 1, action.xy);
      break;
    case 'forward_click':
      await click('forward', 1, action.xy);
      break;
    case 'left_mouse_down':
    case 'left_mouse_up':
      await withKeys(held, computer, signal, async () => {
        await moveTo(action.xy);
        await (action.type === 'left_mouse_down'
          ? computer.press('left', 1, signal)
          : computer.release('left', 1, signal));
      });
      break;
    case 'move':
      await withKeys(held, computer, signal, () => moveTo(action.xy));
      break;
    case 'drag':
      await withKeys(held, computer, signal, () => drag(action, computer, { place, signal }));
      break;
    case 'long_press':
      await moveTo(action.xy);
      await finished(
        async () => {
          await computer.press('left', 1, signal);
          await sleep((action.duration ?? 2) * 1000, { signal });
        },
        [(grace) => computer.release('left', 1, grace)],
        signal,
      );
      break;
    case 'scroll':
      await withKeys(held, computer, signal, async () => {
        await moveTo(action.startXy);
        await turnWheel(action, computer, signal);
      });
      break;
    case 'keypress':
      for (let each = 0; each < (action.repeat ?? 1); each++) await pressChord(action.keys, computer, signal);
      break;
    case 'keypress_hold':
      await withKeys(action.keys, computer, signal, () => sleep(action.duration * 1000, { signal }));
      break;
    case 'key_down':
      await computer.keyDown(action.key, signal);
      break;
    case 'key_up':
      await computer.keyUp(action.key, signal);
      break;
    case 'type':
      if (action.xy !== undefined) await click('left', 1, action.xy);
      if (action.clearFirst === true) {
        await pressChord(['Control', 'a'], computer, signal);
        await pressChord(['Delete'], computer, signal);
      }
      await typeText(action.text, computer, signal);
      if (action.pressEnter === true) await pressChord(['Enter'], computer, signal);
      break;
    case 'wait':
      await sleep((action.duration ?? 1) * 1000, { signal });
      return {};
    case 'screenshot':
    case 'open_browser':
    case 'zoom':
      return { picture: await untilAborted(computer.look(signal), signal) };
    case 'cursor_position': {
      const [x, y] = fromScreen(await computer.cursor(signal), frame, computer.screen);
      return { text: `X=${x},Y=${y}` };
    }
    default: {
      const effect = await performOnPage(action, computer, context);
      if (effect.text !== undefined) return effect;
    }
  }
  await computer.settle(signal);
  return {};
}

/** Where a pointer action goes: an element's middle, a point, or nowhere, which is where the cursor is. */
async function targetOf(
  action: Action,
  point: Point | null | undefined,
  place: (point: Point) => Point,
  computer: Computer,
  signal: AbortSignal,
): Promise<Point | undefined> {
  if (action.target !== undefined) {
    if (computer.elements === undefined) throw noWay(action, computer);
    return computer.elements.locate(action.target.ref, signal);
  }
  return point === undefined || point === null ? undefined : place(point);
}

function tabsOf(computer: Computer, action: Action): NonNullable<Computer['tabs']> {
  if (computer.tabs === undefined) throw noWay(action, computer);
  return computer.tabs;
}

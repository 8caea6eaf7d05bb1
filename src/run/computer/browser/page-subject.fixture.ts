import type { Arrival, ContractSubject } from '../contract.fixture.ts';
import type { Button } from '../computer.ts';
import { PageRig, type Received, reporter, type RigOptions } from './page.fixture.ts';

export const subjectPage = `<!doctype html><title>Contract</title><body style="margin:0">
  <textarea id=text style="position:absolute;left:10px;top:10px;width:100px;height:80px"></textarea>${reporter}
  <script>addEventListener('contextmenu', (event) => event.preventDefault())</script>`;

/** A browser whose page tells what it gets, as the contract of computers asks for it. */
export async function pageSubject(options: RigOptions, ends?: AsyncDisposable): Promise<ContractSubject> {
  const rig = await PageRig.open({ '/': subjectPage }, options);
  return {
    computer: rig.computer,
    async received(work) {
      await rig.received();
      await work();
      return (await rig.received()).flatMap(arrival);
    },
    async typed(work) {
      await rig.ask("void (text.value = '', text.focus())");
      await work();
      return String(await rig.ask('text.value'));
    },
    [Symbol.asyncDispose]: async () => {
      await rig[Symbol.asyncDispose]();
      await ends?.[Symbol.asyncDispose]();
    },
  };
}

const buttons: readonly Button[] = ['left', 'middle', 'right', 'back', 'forward'];

function arrival(seen: Received): readonly Arrival[] {
  const at = `${seen.x},${seen.y}`;
  const held = seen.held
    .split('+')
    .map((each) => ({ ctrl: 'Control', alt: 'Alt', shift: 'Shift', meta: 'Meta' })[each] ?? '')
    .join('+');
  switch (seen.kind) {
    case 'mousedown':
    case 'mouseup': {
      const kind = seen.kind === 'mousedown' ? 'press' : 'release';
      return [{ kind, button: buttons[seen.button!]!, at, held, count: seen.detail! }];
    }
    case 'mousemove':
      return seen.buttons === 1 ? [{ kind: 'drag', at }] : [];
    case 'wheel': {
      const { deltaX = 0, deltaY = 0 } = seen;
      return [
        ...along(deltaY, 'up', 'down').map((turn) => ({ ...turn, held })),
        ...along(deltaX, 'left', 'right').map((turn) => ({ ...turn, held })),
      ];
    }
    case 'keydown':
    case 'keyup':
      return [{ kind: seen.kind === 'keydown' ? 'down' : 'up', key: seen.key!, time: seen.at }];
    default:
      return [];
  }
}

type Way = Extract<Arrival, { kind: 'wheel' }>['way'];

function along(
  distance: number,
  back: Way,
  on: Way,
): readonly Omit<Extract<Arrival, { kind: 'wheel' }>, 'held'>[] {
  if (distance === 0) return [];
  return [{ kind: 'wheel', way: distance < 0 ? back : on, pixels: Math.abs(distance) }];
}

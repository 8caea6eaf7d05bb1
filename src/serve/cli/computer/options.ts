import { InvalidArgumentError } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { fitImage, type Size } from '../../../base/message/frame.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Mask } from '../../../run/computer/browser/mask.ts';
import type { ComputerBlocks } from '../../../wire/computer-block.ts';

/** What the command line says of a computer. */
export interface ComputerOptions {
  readonly api: string;
  readonly tool?: string;
  readonly url?: string;
  readonly cdp?: string;
  readonly desktop?: string | true;
  readonly run?: string;
  readonly screen?: Size;
  readonly display?: Size;
  readonly scale?: number;
  readonly allow?: readonly string[];
  readonly dialogs?: 'accept' | 'dismiss';
  readonly acknowledge?: boolean;
  readonly javascript?: boolean;
  readonly downloads?: string;
  readonly timeout?: number;
  readonly mask?: readonly string[];
  readonly jsonl?: boolean;
}

const mostPixels = 16_384;

export function size(text: string): Size {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  const given = { width: Number(width), height: Number(height) };
  const isSize = [given.width, given.height].every((side) => side >= 1 && side <= mostPixels);
  if (!isSize)
    throw new InvalidArgumentError(
      `It must be a width and a height from 1 to ${mostPixels}, such as 1280x800.`,
    );
  return given;
}

export function scale(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= 0.5 && number <= 4)) throw new InvalidArgumentError('It must be a number from 0.5 to 4.');
  return number;
}

export function seconds(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number > 0 && number <= 3600))
    throw new InvalidArgumentError('It must be a number of seconds above 0, up to 3600.');
  return number;
}

/** A folder that is to be written into. */
export function folder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be the path of a folder.');
  return text;
}

export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** `x,y,w,h`, or a CSS selector. */
export function readMask(text: string): Mask {
  const numbers = text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  if (numbers.length === 4 && numbers.every((each) => Number.isFinite(each))) {
    const [x, y, width, height] = numbers as [number, number, number, number];
    if (width <= 0 || height <= 0)
      throw usage(`The mask ${text} is empty: its width and height must be above 0.`);
    return { x, y, width, height };
  }
  if (text.trim() === '') throw usage('A mask must be x,y,w,h or a CSS selector; this one is empty.');
  return { selector: text };
}

/** Refuses what does not go together, before anything is started. */
export function checkOptions(options: ComputerOptions, call: string | undefined): void {
  const isBrowser = options.url !== undefined || options.cdp !== undefined;
  if (isBrowser === (options.desktop !== undefined))
    throw usage(
      'Say which computer: either --url ADDRESS (or --cdp ADDRESS, for one that is already running) for a browser, or --desktop for a display.',
    );
  if (options.desktop === undefined && options.run !== undefined)
    throw usage('--run starts a program in a display: it goes with --desktop.');
  if (options.desktop !== undefined) {
    for (const option of ['scale', 'allow', 'dialogs', 'javascript', 'downloads'] as const)
      if (options[option] !== undefined)
        throw usage(`--${option} is for a browser: it goes with --url or --cdp.`);
    if (typeof options.desktop === 'string') {
      const isAddress = options.desktop.startsWith('vnc://');
      // An address may hold a password: one that is wrong is not repeated.
      if (!isAddress && !/^:\d{1,5}(?:\.\d+)?$/.test(options.desktop))
        throw usage(
          'A display is written as :N, such as :1, or as an address, such as vnc://127.0.0.1:5900.',
        );
      if (isAddress && options.run !== undefined)
        throw usage('--run starts a program in a display of this machine, not at an address.');
      if (options.screen !== undefined)
        throw usage('--screen is for a new display: an existing one already has its size.');
    }
  }
  checkInput(call, options.jsonl === true);
}

export function checkInput(call: string | undefined, lines: boolean): void {
  if (lines && call !== undefined)
    throw usage('With --jsonl the calls come on standard input, not as an argument.');
  if (!lines && call === undefined)
    throw usage('There is no call: give it as an argument, or with --jsonl one per line on standard input.');
}

/** The size of the pictures for a call: as told, or the screen made smaller as far as its provider demands. */
export function displaySize(
  options: ComputerOptions,
  screen: Size,
  blocks: ComputerBlocks,
): (call: Call) => Size {
  return (call) => options.display ?? fitImage(screen, blocks.limits(call));
}

export function usage(message: string): WhetstoneError {
  return new WhetstoneError('usage', message);
}

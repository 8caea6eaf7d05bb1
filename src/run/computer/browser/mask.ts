import type { Region } from '../../display/picture/picture.ts';

/** What is painted over: a rectangle of the page as it is seen, or whatever a CSS selector matches. */
export type Mask = Region | { readonly selector: string };

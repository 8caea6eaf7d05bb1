/** `whetstone/scenario`: what a scenario written in TypeScript imports. */
export { scenario } from './define.ts';
export { dice } from './dice.ts';
export type { Dice } from './dice.ts';
export type { DefinedScenario } from './define.ts';
export type { WorldAnswer, WorldFunction } from './task.ts';

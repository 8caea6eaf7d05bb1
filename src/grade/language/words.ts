import { Lists } from './read-lists.ts';
import { stem } from './stem.ts';

const lists = new Lists(new URL('./data/words.txt', import.meta.url));

/** Small words that carry no topic: a pattern may leave them out or write them, they are never asked for. */
export const emptyWords = lists.words('empty');
export const questionWords = lists.words('question');
/** What comes behind them is what is asked. */
export const askers = lists.words('asks which');
export const subjects = lists.words('subject');
export const auxiliaries = lists.words('auxiliary');
/** With one of them an offer may begin. */
export const offering = lists.words('offer');
/** "Do people …?" and "most people" speak of the world, unless the fact itself speaks of these. */
export const people = lists.words('people');
export const beforePeople = lists.words('general');
/** What is before a thing: "the machine", "your car". */
export const determiners = lists.words('determiner');

const otherOnes = lists.words('other');
const lessThanTopics = lists.words('less than a topic');
const framingStems = new Set([...lists.words('framing')].map(stem));
const lightStems = new Set([...lists.words('light')].map(stem));

const word = /[a-z\u00c0-\u024f][a-z\u00c0-\u024f'-]*[a-z\u00c0-\u024f]|[a-z]|\d+(?:[.,-]\d+)*/g;
const wordOrComma = /[a-z\u00c0-\u024f][a-z\u00c0-\u024f'-]*|\d+(?:[.,-]\d+)*|,/g;

/** The words of a text in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.match(word) ?? [];
}

/** The words as they are said: with their commas and the end, and every number is `#`. */
export function wordsSaid(text: string, asked: boolean): readonly string[] {
  const said = (text.match(wordOrComma) ?? []).map((found) => (/^\d/.test(found) ? '#' : found));
  said.push(asked ? '?' : '.');
  return said;
}

/** How much a word leaves unsaid when nobody explains it: 0 for "of" and "describe", 1 for "parcel". */
export function weightOf(text: string, itsStem: string): number {
  if (emptyWords.has(text) || framingStems.has(itsStem)) return 0;
  if (otherOnes.has(text) || lessThanTopics.has(itsStem)) return 0.6;
  return lightStems.has(itsStem) || /^\d/.test(text) ? 0.35 : 1;
}

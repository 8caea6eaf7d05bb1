import type { ResultPart } from '../../base/message/part.ts';

/** Characters of a result that a model is sent where the tool says nothing: about 12,000 tokens. */
export const defaultOutputBudget = 50_000;

/** Content within its budget: the same, or head and tail with a line between them that says what is gone. */
export interface BudgetedContent {
  readonly content: readonly ResultPart[];
  /** The whole text and its length, when something was cut. */
  readonly whole?: string;
}

/** Cuts the text of a result to its budget. Images and documents are kept: they are not counted in characters. */
export function cutToBudget(
  content: readonly ResultPart[],
  budget: number | false,
  options: { readonly callId: string; readonly reader?: string | undefined },
): BudgetedContent {
  if (budget === false) return { content };
  let characters = 0;
  for (const part of content) if (part.type === 'text') characters += part.text.length;
  if (characters <= budget) return { content };
  const whole = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const text = headAndTail(whole, budget, options);
  return { content: [{ type: 'text', text }, ...content.filter((part) => part.type !== 'text')], whole };
}

function headAndTail(
  whole: string,
  budget: number,
  options: { readonly callId: string; readonly reader?: string | undefined },
): string {
  const half = Math.max(0, Math.floor(budget / 2));
  const head = cutBefore(whole, half);
  const tail = cutAfter(whole, whole.length - half);
  const gone = whole.length - head.length - tail.length;
  const way =
    options.reader === undefined
      ? ''
      : ` To read on, call ${options.reader} with {"call_id": ${JSON.stringify(options.callId)}, "from": ${head.length}}.`;
  return `${head}\n[… ${gone} of ${whole.length} characters are left out here.${way} …]\n${tail}`;
}

/** The first `length` characters, and never half of a surrogate pair. */
export function cutBefore(text: string, length: number): string {
  return text.slice(0, isSplitAt(text, length) ? length - 1 : length);
}

function cutAfter(text: string, from: number): string {
  return text.slice(isSplitAt(text, from) ? from + 1 : from);
}

function isSplitAt(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

import { createInterface } from 'node:readline/promises';

import type { Approver } from '../../run/tool/call/ask-approval.ts';
import type { ApprovalRequest, Decision } from '../../run/tool/call/call-record.ts';
import { Screen } from './screen.ts';
import { harmless } from './terminal-text.ts';

/** How a question is put to the person at the terminal. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** Asks the person at the terminal, one call after the other. Where there is no terminal, the answer is no. */
export function approverAt(terminal: Ask | undefined, yes: boolean): Approver {
  if (yes) return () => true;
  if (terminal === undefined) {
    return () => ({ decision: 'reject', reason: 'Nobody is at a terminal to allow it.' });
  }
  let line: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const mine = line.then(() => decide(terminal, request, signal));
    line = mine.catch(() => undefined);
    return mine;
  };
}

async function decide(ask: Ask, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
  const { note } = request;
  const label = note === undefined ? '' : typeof note === 'string' ? note : note.label;
  const shown = harmless(
    `${label === '' ? '' : `${label}\n`}  ${request.name} ${JSON.stringify(request.arguments)}\n`,
  );
  const choices = `  (y = yes, a = yes and always to exactly this, t = yes and always to ${request.name}, e = edit; else no, and why)\n`;
  for (;;) {
    const answer = (await ask(`${shown}${choices}Allow it? `, signal)).trim();
    if (/^y(es)?$/i.test(answer)) return true;
    if (answer === 'a') return { decision: 'approve', remember: 'exact' };
    if (answer === 't') return { decision: 'approve', remember: 'tool' };
    if (answer !== 'e') return refusal(answer);
    const text = await ask('The arguments to run with, as JSON: ', signal);
    try {
      return { decision: 'edit', arguments: JSON.parse(text) as never };
    } catch (error) {
      process.stderr.write(`That is not JSON (${(error as Error).message}).\n`);
    }
  }
}

function refusal(answer: string): Decision {
  const reason = answer.replace(/^no?\b[,:.]?\s*/i, '');
  return { decision: 'reject', ...(reason !== '' && { reason }) };
}

/** The person at this terminal; nobody, where input or output is not one. */
export function thisTerminal(): Ask | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return async (question, signal) => {
    const screen = new Screen();
    const lines = createInterface({ input: process.stdin, output: screen });
    try {
      return await lines.question(question, { signal });
    } finally {
      lines.close();
      screen.destroy();
    }
  };
}

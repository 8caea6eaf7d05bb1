import { isWhetstoneError } from '../../../base/host/errors.ts';
import { textOf, type Message } from '../../../base/message/message.ts';
import type { Model } from '../../../base/message/model.ts';
import { operator, type AnyAgent } from '../../../run/bridge/operator/index.ts';
import type { Outcome } from '../../../run/loop/outcome.ts';
import { run } from '../../../run/loop/run.ts';
import { toolbox, type Toolbox } from '../../../run/tool/toolbox.ts';
import { faultOf } from '../fault.ts';
import { callOf, type PlayedQuestion } from './played-question.ts';
import { playTwoPhases } from './two-phase.ts';

export interface QuestionPlayer {
  readonly model: Model;
  readonly tools?: Toolbox;
  readonly protocol?: 'loop' | 'two-phase';
  readonly steps?: number;
}

/** A model answers a question, with its tools. What the provider or the machine did wrong is thrown. */
export async function playQuestion(question: string, player: QuestionPlayer): Promise<PlayedQuestion> {
  const { model, tools = toolbox([]), protocol = 'loop', steps } = player;
  try {
    if (protocol === 'two-phase')
      return await playTwoPhases(question, { model, tools, ...(steps !== undefined && { steps }) });
    const outcome = await run({
      model,
      tools,
      prompt: question,
      atLimit: 'answer',
      ...(steps !== undefined && { limits: { steps } }),
    });
    return playedOf(outcome);
  } catch (error) {
    // What no second try would change is the player's own failure: it is a result, and an empty answer.
    const { kind, world } = faultOf(error);
    if (world || !isWhetstoneError(error)) throw error;
    const outcome = error.details?.['outcome'] as Outcome | undefined; // As `failedRun` gives it.
    if (outcome === undefined) throw error;
    return { ...playedOf(outcome), answer: '', ended: kind };
  }
}

function playedOf({ text, calls, steps, stop, messages }: Outcome): PlayedQuestion {
  return { answer: text, calls: calls.map(callOf), replies: steps, ended: stop, messages };
}

/** An agent of the user's own answers a question: what it says first. */
export async function askAgent(question: string, agent: AnyAgent): Promise<PlayedQuestion> {
  const play = operator(agent)({ initial_observation: { content: question }, tools: [] });
  try {
    const said = (await play.next(1, undefined)) ?? [];
    const answer = said.map(({ content }) => content).join('\n');
    const calls = play.steps.flatMap(({ message, results }, index) =>
      message.content.flatMap((part) => {
        if (part.type !== 'call') return [];
        const result = results.find(({ callId }) => callId === part.id);
        const failed = result?.isError === true;
        return [
          {
            iteration: index + 1,
            name: part.name,
            arguments: part.arguments,
            success: !failed,
            ...(failed && { error: result.errorCode ?? 'failed' }),
          },
        ];
      }),
    );
    const messages: readonly Message[] = play.steps.map(({ message }) => message);
    const replies = messages.filter((message) => textOf(message) !== '').length;
    return { answer, calls, replies: Math.max(replies, play.steps.length), ended: 'done', messages };
  } finally {
    play.end(undefined);
  }
}

import { WhetstoneError } from '../../base/host/errors.ts';
import { argumentsAsText } from '../../base/message/arguments.ts';
import type { Call } from '../../base/message/call.ts';
import { callsOf, type Message, systemMessage, textOf, userMessage } from '../../base/message/message.ts';
import type { Model } from '../../base/message/model.ts';
import { textResult } from '../../base/message/result.ts';
import type { Seat, SpeakerTool } from './speaker.ts';

/** A model speaks: what its calls are answered goes back to it as their results. */
export function modelSeat(model: Model): Seat {
  return ({ system, tools }) => {
    const messages: Message[] = system === '' ? [] : [systemMessage(system)];
    const specs = tools.map(specOf);
    let asked: readonly Call[] = [];
    return {
      async next({ words, results = [], tools: added = [] }) {
        specs.push(...added.map(specOf));
        if (asked.length > 0)
          messages.push({
            role: 'tool',
            results: asked.map((call, index) => textResult(call, results[index] ?? '')),
          });
        if (words !== undefined) messages.push(userMessage(words));
        const reply = await model.generate({ messages: [...messages], tools: [...specs] });
        if (reply.error !== undefined || !reply.complete)
          throw new WhetstoneError(
            'model_failed',
            `${model.name} did not finish its reply: ${reply.error?.message ?? 'it broke off.'}`,
            { details: { model: model.name, kind: reply.error?.kind } },
          );
        messages.push(reply.message);
        asked = callsOf(reply.message).filter((call) => call.requiresLocalExecution);
        const text = textOf(reply.message);
        if (text === '' && asked.length === 0) return undefined;
        return {
          text,
          calls: asked.map((call) => ({ id: call.id, name: call.name, arguments: argumentsAsText(call) })),
        };
      },
    };
  };
}

function specOf(tool: SpeakerTool) {
  return { kind: 'function' as const, ...tool };
}

/** A model speaks for the person; if it fails, that is not the player's fault. */
export function personSeat(model: Model): Seat {
  const seat = modelSeat(model);
  return (brief) => {
    const speaker = seat(brief);
    return {
      async next(heard) {
        const said = await speaker.next(heard).catch((cause: unknown) => {
          throw new WhetstoneError(
            'person_failed',
            `The model that speaks for the person failed: ${(cause as Error).message}`,
            { cause },
          );
        });
        if (said !== undefined) return said;
        throw new WhetstoneError('person_failed', `${model.name} speaks for the person, but said nothing.`);
      },
    };
  };
}

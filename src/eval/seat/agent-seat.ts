import { isJsonObject } from '../../base/json/value.ts';
import { type AnyAgent, operator } from '../../run/bridge/operator/index.ts';
import type { Seat } from './speaker.ts';

/** An agent of the user's own speaks. It is told what a model has as its system prompt before the first words. */
export function agentSeat(agent: AnyAgent): Seat {
  return ({ system, tools }) => {
    let play: ReturnType<ReturnType<typeof operator>> | undefined;
    let names: readonly string[] = [];
    let turn = 0;
    return {
      async next({ words: said = '', results = [], tools: added = [] }) {
        // An agent has its tools from the start, so those that come later are told in words, as to models without tools.
        const words = [...added.map((tool) => JSON.stringify(tool)), said].join('\n');
        turn += 1;
        const isFirst = play === undefined;
        play ??= operator(agent)({
          initial_observation: { content: [system, words].filter((text) => text !== '').join('\n\n') },
          tools: tools.map(({ name, description, input }) => ({
            id: name,
            type: 'function',
            name,
            mode: 'json_schema',
            description,
            json_schema: input,
          })),
        });
        const last = {
          observation: { content: words },
          results: results.map((output, index) => ({ name: names[index] ?? '', output })),
        };
        const answered = await play.next(turn, isFirst ? undefined : last);
        if (answered === undefined) return undefined;
        const calls = answered.flatMap(({ tool_calls = [] }) => tool_calls);
        names = calls.map(({ name }) => name);
        return {
          text: answered.map(({ content }) => content).join('\n'),
          calls: calls.map(({ name, input }, index) => ({
            id: `call_${turn}_${index + 1}`,
            name,
            arguments: isJsonObject(input) ? JSON.stringify(input) : String(input),
          })),
        };
      },
      end: () => play?.end(undefined),
    };
  };
}

import { isWhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { Action } from '../../../base/message/action.ts';
import type { Call } from '../../../base/message/call.ts';
import { readActionInput } from '../../../run/computer/action-input.ts';
import { ComputerBlocks } from '../../../wire/computer-block.ts';

/** What a call asks of a computer, also where its log has only the arguments: ours, or those of Anthropic's tool. */
export function actionsOf(call: Call): readonly Action[] {
  const { actions, name, arguments: input } = call;
  if (actions !== undefined) return actions;
  if (name !== 'computer' || !isJsonObject(input)) return [];
  try {
    if (typeof input['action'] !== 'string') return [readActionInput(input)];
    const block = { type: 'tool_use', id: call.id, name, input };
    return new ComputerBlocks('anthropic').read(block).actions ?? [];
  } catch (error) {
    if (isWhetstoneError(error)) return [];
    throw error;
  }
}

import type { Operator } from '../../../grade/play/operators.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import type { TurnMessage } from '../../../grade/scenario/transcript.ts';
import type { Message } from '../../api/message.ts';
import type { Player } from '../../client/play-episode.ts';

/** A built-in operator plays, who knows the task and needs no model. */
export function operatorPlayer(operator: Operator, task: Task): Player {
  return {
    next: async (turn, last) => operator.next(task, turn, last?.observation ?? task.opening)?.map(asSent),
  };
}

function asSent({ role, content, toolCalls }: TurnMessage): Message {
  return { role, content, ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }) };
}

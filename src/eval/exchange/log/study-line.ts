import { isJsonObject, type JsonObject } from '../../../base/json/value.ts';
import type { Message } from '../../../base/message/message.ts';
import { numberAt, objectAt, textAt } from '../fields.ts';
import type { Trajectory } from '../trajectory.ts';
import { benchmarkMessages } from './benchmark-line.ts';

/** Whether a line is one of a study: who plays, what came of a cell, that a try failed, or that a cell is played again. */
export function isResult(line: JsonObject): boolean {
  return (
    isJsonObject(line['players']) ||
    isJsonObject(line['fault']) ||
    line['requeued'] === true ||
    (typeof line['player'] === 'string' &&
      typeof line['template'] === 'string' &&
      typeof line['reward'] === 'number')
  );
}

/** What a line of `log.jsonl` or `results.jsonl` tells of one cell, with the words where it was a question. */
export function readResult(line: JsonObject, name: string): readonly Trajectory[] {
  const player = textAt(line, 'player');
  if (player === undefined) return [];
  const template = textAt(line, 'template') ?? '';
  const instance = textAt(line, 'task') ?? '0';
  const answer = objectAt(line, 'answer');
  const [collection = '', ...rest] = template.split('/');
  const played = objectAt(line, 'played');
  const ended = textAt(answer, 'ended') ?? textAt(played, 'ended');
  const isJudged = answer['judgeFault'] === undefined && played['judgeFault'] === undefined;
  const benchmarkLine = textAt(played, 'line');
  const success = line['success'];
  return [
    {
      id: textAt(line, 'key') ?? name,
      task: `${template}/${instance}`,
      trial: (numberAt(line, 'trial') ?? 0) + 1,
      agent: { name: player },
      tools: [],
      // Written by a study, from values of this type.
      messages:
        benchmarkLine !== undefined
          ? benchmarkMessages(benchmarkLine)
          : ((Array.isArray(answer['messages']) ? answer['messages'] : []) as unknown as readonly Message[]),
      // Where the judge failed, 0 would look earned.
      ...(isJudged && {
        grade: {
          reward: numberAt(line, 'reward') ?? null,
          ...(typeof success === 'boolean' && { success }),
          scores: {},
        },
      }),
      tokens: [],
      ...(ended !== undefined && { ended }),
      metadata: {
        ...(rest.length > 0 && { collection, scenario: rest.join('/') }),
        variant: instance,
        ...(typeof line['episode'] === 'string' && { episode: line['episode'] }),
        ...(Array.isArray(played['reasons']) && { reasons: played['reasons'] }),
        ...(isJsonObject(answer['verdict']) && { verdict: answer['verdict'] }),
      },
    },
  ];
}

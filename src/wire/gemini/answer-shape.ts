import type { ModelRequest } from '../../base/message/model.ts';
import type { RequestReport } from '../adapter.ts';
import type { Part } from './types.ts';

export interface AnswerShape {
  /** What the API is told of the answer's shape by its own means. */
  readonly output: ModelRequest['output'];
  /** What it is told in words. */
  readonly told: readonly Part[];
  readonly reports: readonly RequestReport[];
}

/** Models before Gemini 3 refuse a schema for the answer together with tools; all refuse it if a call is forced. */
export function shapeAnswer(
  { output }: ModelRequest,
  asked: {
    readonly hasTools: boolean;
    readonly choice: ModelRequest['toolChoice'];
    readonly isEarly: boolean;
  },
): AnswerShape {
  if (output === undefined || !asked.hasTools) return { output, told: [], reports: [] };
  const leftOut = (message: string): readonly RequestReport[] => [{ field: 'output', message }];
  if (asked.isEarly)
    return {
      output: undefined,
      told: [
        {
          text: `Give your answer as JSON of this schema, nothing around it: ${JSON.stringify(output.schema)}`,
        },
      ],
      reports: leftOut(
        'Models before Gemini 3 take no schema for their answer together with tools; it is put into words.',
      ),
    };
  if (!isForced(asked.choice)) return { output, told: [], reports: [] };
  return {
    output: undefined,
    told: [],
    reports: leftOut('Gemini takes no schema for its answer if a call is forced; it is not sent.'),
  };
}

function isForced(choice: ModelRequest['toolChoice']): boolean {
  if (typeof choice === 'object') return 'name' in choice || choice.mode === 'required';
  return choice === 'required';
}

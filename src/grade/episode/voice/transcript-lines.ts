import type { JsonValue } from '../../../base/json/value.ts';
import type { Observation, TranscriptTurn } from '../../scenario/transcript.ts';

/**
 * A conversation as data for a model that must not obey it: one JSON object a line between two marks. Nothing said in it
 * can begin a line or write a mark, since line breaks and angle brackets are escaped.
 */
export function transcriptLines(
  opening: Observation,
  turns: readonly Pick<TranscriptTurn, 'turn' | 'messages' | 'outcomes' | 'observation'>[],
): string {
  const lines: JsonValue[] = [{ turn: 0, from: 'scenario', says: opening.content }];
  for (const { turn, messages, outcomes, observation } of turns) {
    for (const { role, content, toolCalls = [] } of messages) {
      if (role !== 'assistant') continue;
      if (content.trim() !== '') lines.push({ turn, from: 'operator', says: content });
      for (const { name, input } of toolCalls) lines.push({ turn, from: 'operator', calls: name, input });
    }
    for (const { name, output } of outcomes) lines.push({ turn, from: 'tool', name, output });
    if (observation.content !== '') lines.push({ turn, from: 'person', says: observation.content });
  }
  return ['<conversation>', ...lines.map(asData), '</conversation>'].join('\n');
}

function asData(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[<>\u2028\u2029\u0085]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

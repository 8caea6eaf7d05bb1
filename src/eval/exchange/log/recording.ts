import { statSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { JsonObject } from '../../../base/json/value.ts';
import { actionArguments } from '../../../base/message/action-object.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../../base/message/message.ts';
import type { ResultPart } from '../../../base/message/part.ts';
import { eventText } from '../../../run/computer/event-text.ts';
import {
  type ComputerRecord,
  type RecordedStep,
  readPicture,
  readRecord,
  stepsFile,
} from '../../../run/computer/record/record.ts';
import type { Trajectory } from '../trajectory.ts';
import type { Log } from './log.ts';

/** The folder of `whet computer record`. It is only read: a session may go on writing into it. */
export function recordingLog(folder: string): Log {
  const file = join(folder, stepsFile);
  const bytes = statSync(file).size;
  const read = async (): Promise<Trajectory> =>
    trajectoryOf(await readRecord(folder), {
      name: basename(folder),
      lastAt: Math.round(statSync(file).mtimeMs),
    });
  return {
    path: folder,
    format: 'a recording of a computer',
    bytes,
    async *entries() {
      yield { trajectory: await read(), place: {}, readTo: bytes };
    },
    read,
    picture: (name) => readPicture(folder, name),
  };
}

/** Whether the first line of a file is that of a recording. */
export function isRecording(line: JsonObject): boolean {
  return typeof line['environment'] === 'string' && typeof line['screen'] === 'object' && 'version' in line;
}

/** Each step is a call of its own, and its result has the name of the picture. */
function trajectoryOf(
  { steps, environment, screen }: ComputerRecord,
  { name, lastAt }: { readonly name: string; readonly lastAt: number },
): Trajectory {
  const last = steps.at(-1);
  const begun = lastAt - (last ? last.at + last.ms : 0);
  return {
    id: name,
    task: name,
    trial: 1,
    agent: { name: 'a recorded session' },
    tools: [],
    messages: steps.flatMap((step, index) => messagesOf(step, `step_${index + 1}`, begun)),
    tokens: [],
    startedAt: new Date(begun).toISOString(),
    endedAt: new Date(lastAt).toISOString(),
    metadata: {
      collection: 'recordings',
      scenario: name,
      environment,
      screen: { width: screen.width, height: screen.height },
    },
  };
}

function messagesOf(step: RecordedStep, id: string, begun: number): readonly Message[] {
  const { action, failure, texts, effect, events, picture, cursor, url, at, ms } = step;
  const call: AssistantMessage['content'][number] = {
    type: 'call',
    id,
    name: 'computer',
    arguments: actionArguments(action),
    kind: 'computer',
    requiresLocalExecution: true,
    actions: [action],
  };
  const words = [failure?.message, ...texts, effect, ...events.map(eventText), url];
  const content: ResultPart[] = words.flatMap((text) => (text === undefined ? [] : [{ type: 'text', text }]));
  if (picture !== undefined)
    content.push({ type: 'image', source: { kind: 'url', url: picture, mediaType: 'image/png' } });
  const answer: ToolMessage = {
    role: 'tool',
    results: [
      {
        callId: id,
        name: 'computer',
        content,
        ...(failure !== undefined && { isError: true, errorCode: failure.code }),
        artifact: { cursor: [...cursor] },
        startedAt: begun + at,
        durationMs: ms,
      },
    ],
  };
  return [{ role: 'assistant', content: [call] }, answer];
}

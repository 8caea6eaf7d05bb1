import type { Action } from '../../base/message/action.ts';
import { readArguments } from '../../base/message/arguments.ts';
import type { Call } from '../../base/message/call.ts';
import { omitUndefined, numberOf, textOf } from '../json-fields.ts';
import type { ToolBinding } from '../request/bind-tools.ts';
import type { ComputerSpeech } from '../request/computer-history.ts';
import { readBrowserMember } from './read-browser-member.ts';
import { readMember } from './read-member.ts';
import { writeMembers } from './write-members.ts';

/** Which computer tool a call belongs to: a toolset says so itself, the older tool is one named `computer`. */
export function readComputerCall(call: Call, isComputer: (name: string) => boolean): Call {
  const toolset = textOf(call.providerData?.['anthropic']?.['toolset_name']);
  const reading = call.invalid === undefined ? readArguments(call) : undefined;
  if (reading?.ok !== true) return call;
  const { value: input } = reading;
  const older = toolset === undefined && typeof input['action'] === 'string' && isComputer(call.name);
  if (toolset !== 'computer' && toolset !== 'browser' && !older) return call;
  const name = older ? String(input['action']) : call.name;
  const read = toolset === 'browser' ? readBrowserMember(name, input) : readMember(name, input);
  const actions = read.map(
    (action, index): Action =>
      omitUndefined({
        ...action,
        callId: call.id,
        tab: textOf(input['tab_id']) ?? numberOf(input['tab_id']) ?? action.tab,
        batch: read.length > 1 ? { index, of: read.length } : undefined,
        raw: input,
      }) as Action,
  );
  return { ...call, kind: 'computer', actions };
}

/** A toolset has a call for each member; the older tool, and a past without any, one of the name `computer`. */
export function computerSpeech({ tools }: ToolBinding): ComputerSpeech {
  const hosted = tools.flatMap(({ spec }) => (spec.kind === 'hosted' ? [spec] : []));
  if (hosted.some(({ entry }) => String(entry['type']).startsWith('computer_toolset_'))) {
    const providerData = { anthropic: { toolset_name: 'computer' } };
    return {
      batch: false,
      say: (action) =>
        writeMembers(action)?.map(({ name, input }) => ({ name, arguments: input, providerData })),
    };
  }
  const older = hosted.find(({ entry }) => /^computer_\d/.test(String(entry['type'])));
  return {
    batch: false,
    say: (action) =>
      writeMembers(action)?.map((member) => ({
        name: older?.name ?? 'computer',
        arguments: { action: member.name, ...member.input },
      })),
  };
}

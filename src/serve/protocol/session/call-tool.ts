import { WhetstoneError } from '../../../base/host/errors.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Caller } from '../../../grade/episode/request.ts';
import type { EpisodeRecord } from '../../../grade/store/record.ts';
import type { ServerContext } from '../../http/context.ts';
import { finishOffer } from './offer.ts';
import { turnOf } from './session.ts';
import { readToolCall, textOf } from './tool-call.ts';

/** Calls a tool in a session, and gives the text for the model. */
export async function callTool(
  context: ServerContext,
  caller: Caller,
  record: EpisodeRecord,
  call: { readonly name: string; readonly input: JsonValue },
): Promise<string> {
  const { engine } = context;
  if (record.status === 'complete')
    throw new WhetstoneError('episode_complete', 'The task is finished. Nothing more can be done in it.');
  if (call.name === finishOffer.name) {
    await engine.end(caller, record.id, 'client_terminated');
    return 'The task is finished.';
  }
  const action = readToolCall(engine.tasks.taskOf(record), call);
  const { outcome } = await engine.submitTurn(caller, record.id, turnOf(action));
  return textOf(outcome);
}

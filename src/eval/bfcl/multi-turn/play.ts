import { listOf, requireDict, requireText } from '../../python/field.ts';
import { readJson, writeJson } from '../../python/json.ts';
import type { PythonDict, PythonValue } from '../../python/value.ts';
import type { PlayedTask, Sides } from '../../seat/playable.ts';
import { scriptSeat } from '../../seat/script-seat.ts';
import type { Heard, SpokenCall, Utterance } from '../../seat/speaker.ts';
import type { BfclFolder } from '../folder.ts';
import { toolOf } from '../tool.ts';
import { Backend } from './backend.ts';
import type { Dialogue } from './dialogue.ts';

/** What the benchmark says where a function is there that was missing before. */
const moreFunctions = 'I have updated some more functions you can choose from. What about now?';

/** The benchmark stops an answer whose turn has more steps. */
const mostSteps = 20;

/** Plays the turns of a question with one side; what it calls is run, and told to it. */
export async function playDialogue(
  name: string,
  { agent: seat }: Sides,
  data: BfclFolder,
): Promise<Pick<PlayedTask, 'turns' | 'ended' | 'line'>> {
  const question = data.asked(name.slice(0, name.lastIndexOf('_'))).get(name)!;
  const { involved, initial } = data.dialogue(name)!;
  const tools = involved.flatMap((api) => data.described(api).map((each) => toolOf(each, 'python')));
  const missed = missedFunctions(question);
  const late = new Set([...missed.values()].flat());
  const agent = seat({ system: '', tools: tools.filter((tool) => !late.has(tool.name)) });
  const backend = new Backend(involved, initial);
  const turns: PythonValue[] = [];
  let spoken = 0;
  let pending: readonly string[] = [];
  let ended = 'answered';
  for (const [index, messages] of listOf(question.get('question'), 'question').entries()) {
    const added = tools.filter((tool) => missed.get(String(index))?.includes(tool.name));
    const steps: PythonValue[] = [];
    let heard: Heard | undefined = {
      ...(pending.length > 0 && { results: pending }),
      ...(added.length > 0 && { tools: added }),
      words: added.length > 0 ? moreFunctions : wordsOf(messages),
    };
    pending = [];
    while (heard !== undefined && steps.length <= mostSteps) {
      const said: Utterance | undefined = await agent.next(heard);
      spoken += 1;
      const calls = callsOf(said?.calls ?? []);
      heard = undefined;
      if (calls === undefined) pending = said!.calls.map(() => 'Error: the arguments are not a JSON object');
      else if (calls.length > 0) {
        steps.push(calls);
        heard = { results: calls.map((call) => backend.run(madeCall(call))) };
      }
    }
    if (steps.length > mostSteps) {
      ended = 'limit';
      break;
    }
    turns.push(steps);
  }
  agent.end?.();
  const line = writeJson(
    new Map<string, PythonValue>([
      ['id', name],
      ['task', name],
      ['turns', turns],
    ]),
  );
  return { turns: spoken, ended, line };
}

/** The side that makes the right calls, those of a turn at once. */
export function rightSide({ involved, initial, truth }: Dialogue): Sides {
  const backend = new Backend(involved, initial);
  const utterances = truth.flatMap((turn): Utterance[] => {
    const calls = turn.map((call, index): SpokenCall => {
      const inOrder = (call.inOrder ?? []).map(
        (value, at) => [backend.parameterOf(call.name, at), value] as const,
      );
      const named: PythonDict = new Map([...inOrder, ...call.named]);
      return { id: `call_${index + 1}`, name: call.name, arguments: writeJson(named) };
    });
    const done: Utterance = { text: 'Done.', calls: [] };
    return calls.length === 0 ? [done] : [{ text: '', calls }, done];
  });
  return { agent: scriptSeat(utterances) };
}

/** By the turn in which they come: the functions that are not there before. */
function missedFunctions(question: PythonDict): ReadonlyMap<string, readonly PythonValue[]> {
  const missed = requireDict(question.get('missed_function') ?? new Map(), 'missed_function');
  return new Map([...missed].map(([turn, names]) => [turn, listOf(names, 'missed_function')]));
}

function wordsOf(messages: PythonValue): string {
  return listOf(messages, 'question')
    .map((message) => requireText(requireDict(message, 'question').get('content'), 'question.content'))
    .join('\n\n');
}

/** `undefined` where one of them could not be read: the official runner then runs none. */
function callsOf(calls: readonly SpokenCall[]): PythonDict[] | undefined {
  try {
    return calls.map(
      ({ name, arguments: text }): PythonDict =>
        new Map<string, PythonValue>([
          ['name', name],
          ['arguments', requireDict(readJson(text === '' ? '{}' : text), 'arguments')],
        ]),
    );
  } catch {
    return undefined;
  }
}

function madeCall(call: PythonDict) {
  return { name: call.get('name') as string, named: call.get('arguments') as PythonDict };
}

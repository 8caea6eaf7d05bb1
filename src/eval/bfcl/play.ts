import { WhetstoneError } from '../../base/host/errors.ts';
import { listOf, requireDict, requireText } from '../python/field.ts';
import { readJson, writeJson } from '../python/json.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { PlayableBenchmark, TaskChoice } from '../seat/playable.ts';
import type { SpokenCall } from '../seat/speaker.ts';
import { categories } from './category.ts';
import { type BfclFolder, openFolder } from './folder.ts';
import { dialogueCategories, isDialogue } from './multi-turn/dialogue.ts';
import { playDialogue, rightSide } from './multi-turn/play.ts';
import { bfclGrader, type BfclVerdict } from './open.ts';
import { toolOf } from './tool.ts';

/** Opens a category of the Berkeley function-calling leaderboard to be played: one reply to each question. */
export function openBfclTasks(folder: string, { part: category }: TaskChoice): PlayableBenchmark {
  const data = openFolder(folder);
  if (data.version === 'v4' && category !== undefined && isDialogue(category))
    return openDialogues(data, category);
  const known = categories[data.version];
  const kind = category === undefined ? undefined : known.get(category);
  if (category === undefined || kind === undefined)
    throw new WhetstoneError(
      'benchmark_data',
      `BFCL ${data.version} has the categories ${[...known.keys(), ...(data.version === 'v4' ? dialogueCategories : [])].join(', ')}: "category" is ${category === undefined ? 'missing' : `"${category}"`}.`,
    );
  const asked = data.asked(category);
  const grade = bfclGrader(data);
  return {
    name: `bfcl-${data.version}/${category}`,
    tasks: [...asked.keys()],
    hasPerson: false,
    async play(name, { agent: seat }) {
      const record = asked.get(name)!;
      const { system, words } = promptOf(record.get('question'));
      const functions = record.get('function') ?? [];
      const tools = (Array.isArray(functions) ? functions : [functions]).map((each) =>
        toolOf(each, kind.language),
      );
      const agent = seat({ system, tools });
      const said = await agent.next({ words });
      agent.end?.();
      const line = writeJson(
        new Map<string, PythonValue>([
          ['id', name],
          ['task', name],
          ['underscore_for_dot', true],
          ['calls', callsOf(said?.calls ?? [])],
        ]),
      );
      return { ...graded(grade(line)), turns: 1, ended: 'answered', line };
    },
  };
}

/** The questions of several turns of a category: what is called is run, and the next question comes when nothing more is. */
function openDialogues(data: BfclFolder, category: string): PlayableBenchmark {
  const grade = bfclGrader(data);
  return {
    name: `bfcl-${data.version}/${category}`,
    tasks: [...data.asked(category).keys()],
    hasPerson: false,
    gold: (name) => rightSide(data.dialogue(name)!),
    async play(name, sides) {
      const played = await playDialogue(name, sides, data);
      return { ...played, ...graded(grade(played.line)) };
    },
  };
}

function graded(verdict: BfclVerdict): { readonly reward: number; readonly reasons: readonly string[] } {
  if (verdict.valid) return { reward: 1, reasons: [] };
  return { reward: 0, reasons: [`${verdict.error_type}: ${verdict.reasons.join(' ')}`] };
}

/** What no call could be read from is `null`, as it is to the official checker. */
function callsOf(calls: readonly SpokenCall[]): PythonValue {
  if (calls.length === 0) return null;
  try {
    return calls.map(
      (call): PythonDict =>
        new Map<string, PythonValue>([
          ['name', call.name],
          ['arguments', requireDict(readJson(call.arguments === '' ? '{}' : call.arguments), 'arguments')],
        ]),
    );
  } catch {
    return null;
  }
}

/** Of 2024-08 a text; of v4 the turns, each a list of messages. */
function promptOf(question: PythonValue | undefined): { readonly system: string; readonly words: string } {
  if (typeof question === 'string') return { system: '', words: question };
  const messages = listOf(question, 'question')
    .flatMap((turn) => (Array.isArray(turn) ? turn : [turn]))
    .map((message) => requireDict(message, 'question[0]'));
  const said = (isSystem: boolean) =>
    messages
      .filter((message) => (message.get('role') === 'system') === isSystem)
      .map((message) => requireText(message.get('content'), 'question[0].content'))
      .join('\n\n');
  return { system: said(true), words: said(false) };
}

import { createInterface } from 'node:readline';

import type { JsonValue } from '../../../base/json/value.ts';
import type { Judge } from '../../../grade/episode/judge/judge.ts';
import type { PlayState } from '../../../grade/scenario/play-state.ts';
import { hearTurn, type Hearing } from '../../../grade/episode/hearing/hearing.ts';
import { voiceTurn, wordsIn, type Voice } from '../../../grade/episode/voice/voice.ts';
import { whyAnswered } from '../../../grade/person/why-answered.ts';
import { PageStage } from '../../../grade/play/page/page-stage.ts';
import { playTurn, startPlay } from '../../../grade/play/play.ts';
import type { Task } from '../../../grade/scenario/task.ts';
import { diffWorlds, hashWorld, rewindTo, takeSnapshot } from '../../../grade/play/world-state.ts';
import type { Snapshot } from '../../../grade/play/world-state.ts';
import type {
  Transcript,
  TranscriptTurn,
  TurnCall,
  TurnMessage,
} from '../../../grade/scenario/transcript.ts';
import { gradeTranscript } from '../../../grade/score/grade-transcript.ts';
import { transcriptText } from '../../terminal/transcript-text.ts';
import { gradeJson, gradeText } from '../../terminal/print-grade.ts';
import { Screen } from '../../terminal/screen.ts';

const help = `Type what you say and press Enter. Or:
  /tools                    what you can call
  /call TOOL JSON           call it; sent with what you say next, or alone with an empty line
  /decide TOOL OPTION       take a decision
  /grade                    how it stands
  /world                    what has changed in the world, and its hash
  /why                      what the person made of what you said last
  /undo                     take the last turn back
  /end                      stop here`;

/** A person plays the operator; the conversation goes to standard error, the grade as JSON to standard output. */
export async function playInTerminal(
  task: Task,
  {
    voice,
    hearing,
    judge,
    from,
  }: {
    readonly voice?: Voice;
    readonly hearing?: Hearing;
    readonly judge?: Judge | undefined;
    /** What was played before, where it is not played from the start. */
    readonly from?: Pick<Transcript, 'turns'> & { readonly state: PlayState };
  } = {},
): Promise<void> {
  task.examples(); // A fault in them is told before anything is said.
  await using stage = new PageStage();
  await stage.mustBeReady(task);
  let { state } = from ?? startPlay(task);
  const turns: TranscriptTurn[] = [...(from?.turns ?? [])];
  const transcript = (): Transcript => ({ task: task.reference, opening: task.opening, turns, state });
  const snapshots: Snapshot[] = [];
  let calls: TurnCall[] = [];
  const lines = createInterface({ input: process.stdin, output: new Screen(), prompt: '> ' });
  // What is piped in may end while a model finds its words: the lines that came are still to be played.
  let open = true;
  lines.once('close', () => (open = false));
  console.error(`${task.opening.content}\n`);
  if (turns.length > 0) console.error(`${transcriptText({ turns })}\n`);
  console.error(`${help}\n`);
  lines.prompt();
  for await (const line of lines) {
    const [, word = '', name = '', rest = ''] = /^(\S*)\s*(\S*)\s*(.*)$/.exec(line.trim()) ?? [];
    if (word === '/end') break;
    if (word === '/tools') console.error(JSON.stringify(task.tools, undefined, 2));
    else if (word === '/help') console.error(help);
    else if (word === '/grade') console.error(gradeText(gradeTranscript(task, transcript())));
    else if (word === '/why') console.error(why(task, snapshots.at(-1), turns.at(-1)));
    else if (word === '/world') {
      for (const change of diffWorlds(task.world, state.world)) console.error(JSON.stringify(change));
      console.error(hashWorld(state.world));
    } else if (word === '/undo') {
      const last = snapshots.pop();
      turns.pop();
      if (last) state = rewindTo(last);
      console.error(last ? `Back before turn ${state.turn + 1}.` : 'There is no turn to take back.');
    } else if (word === '/decide' || word === '/call') {
      const input = word === '/decide' ? { value: rest } : parse(rest);
      const known = task.tools.map(({ id }) => id);
      if (input === undefined) console.error('That is not JSON.');
      else if (!known.includes(name))
        console.error(`There is no tool "${name}". Known: ${known.join(', ')}.`);
      else {
        calls.push({ name, input });
        console.error(`${name} goes along with what you say next, or alone with an empty line.`);
      }
    } else if (task.tools.some(({ id }) => `/${id}` === word))
      console.error(`That is a tool: /call ${word.slice(1)} {…}, or /decide ${word.slice(1)} OPTION.`);
    else if (word.startsWith('/')) console.error(`There is no command "${word}".\n${help}`);
    else if (line.trim() !== '' || calls.length > 0) {
      const messages: readonly TurnMessage[] = [
        { role: 'assistant', content: line, ...(calls.length > 0 ? { toolCalls: calls } : {}) },
      ];
      calls = [];
      snapshots.push(takeSnapshot(state));
      const scene = { task, opening: task.opening, turns, messages };
      const heard = await hearTurn(hearing, { ...scene, state });
      const acted = await stage.act({ id: 'play', task, turns, state, messages });
      const played = await voiceTurn(
        voice,
        scene,
        playTurn(task, state, messages, { heard: heard?.heard, acted }),
      );
      state = played.state;
      const { outcomes, observation } = played;
      turns.push({
        turn: state.turn,
        messages,
        outcomes,
        observation,
        ...(played.voice && { voice: played.voice }),
        ...(heard && { hearing: heard }),
      });
      const fault = heard?.fault ?? played.voice?.fault;
      if (fault !== undefined) console.error(`(by the rules: ${fault})`);
      for (const outcome of played.outcomes) console.error(`[${outcome.name}] ${outcome.output}`);
      if (played.fault) console.error(`The scenario is broken: ${played.fault.message}`);
      console.error(`${task.person.name || 'They'}: ${played.observation.content}\n`);
      if (played.ended !== undefined) break;
    }
    if (open) lines.prompt();
  }
  lines.close();
  const verdicts = (await judge?.judge(task, transcript())) ?? {};
  const grade = gradeTranscript(task, transcript(), { verdicts });
  console.error(`\n${gradeText(grade)}`);
  // The person at the terminal has just read it.
  if (!process.stdout.isTTY) console.log(JSON.stringify(gradeJson(grade)));
}

/** What the person made of the last turn: by it an author knows which question to write. */
function why(task: Task, before: Snapshot | undefined, last: TranscriptTurn | undefined): string {
  if (before === undefined || last === undefined) return 'Nothing was said yet.';
  if (last.hearing?.heard)
    return `Heard by ${last.hearing.by}: ${last.hearing.heard.asks.join(', ') || 'nothing'}.`;
  const state = rewindTo(before);
  const lines = whyAnswered(task, { ...state, turn: state.turn + 1 }, wordsIn(last.messages));
  return lines.length > 0 ? lines.join('\n') : 'Nothing was said to the person.';
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

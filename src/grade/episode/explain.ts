import type { WorldFault } from '../play/play.ts';
import { type WayToFact, waysToFacts } from '../play/ways-to-facts.ts';
import { worldFaultIn } from '../play/world-fault.ts';
import { reportExpected, type ExpectedReport } from '../score/expected-fields.ts';
import { viewTranscript } from '../score/transcript-view.ts';
import { gradeTranscript, wayGone } from '../score/grade-transcript.ts';
import type { Grade } from '../score/grade.ts';
import type { LiveEpisode } from './live-episode.ts';
import { transcriptOf } from './grade-turn.ts';

/** A fact that there is to find out; where it is not out, with the way that leads to it. */
export interface FactReport extends WayToFact {
  readonly id: string;
  readonly text: string;
  readonly discovered: boolean;
  readonly turn?: number;
}

/** What a person is shown of a call: counted in a turn over all its messages, from 0. */
export interface CallNote {
  readonly turn: number;
  readonly call: number;
  readonly label: string;
  readonly detail?: string;
}

export interface Explanation {
  readonly facts: readonly FactReport[];
  readonly grade: Grade;
  readonly expected: readonly ExpectedReport[];
  /** How the world broke, where that ended the episode. */
  readonly worldFault?: WorldFault & { readonly turn: number };
}

/** What only those with the right to `explain` may see of an episode: it reveals answers. */
export function explainEpisode(live: LiveEpisode): Explanation {
  const { record, task, turns } = live;
  const transcript = transcriptOf(live, turns, live.state, undefined);
  const grade: Grade =
    record.grade !== null ? (JSON.parse(record.grade) as Grade) : gradeTranscript(task, transcript);
  const { state } = live;
  const way = wayGone(task, { ...transcript, state }, grade.verdicts ? { verdicts: grade.verdicts } : {});
  const expected = reportExpected(viewTranscript(way, transcript, state));
  const ways = waysToFacts(task);
  const found = new Map(grade.factsFound.map(({ fact, turn }) => [fact, turn]));
  const facts = task.facts.map(({ id, is }) => {
    const turn = found.get(id);
    // What the opening tells is neither found nor missed.
    const discovered = !grade.factsMissed.includes(id);
    return {
      id,
      text: is,
      discovered,
      ...(turn !== undefined && { turn }),
      ...(!discovered && ways.get(id)),
    };
  });
  const worldFault = record.terminalReason === 'error' ? worldFaultIn(task, turns) : undefined;
  return { facts, grade, expected, ...(worldFault && { worldFault }) };
}

/** What a person is shown of each call. */
export function notesOf({ task, turns }: LiveEpisode): readonly CallNote[] {
  return turns.flatMap(({ turn, messages }) =>
    messages
      .flatMap((message) => message.toolCalls ?? [])
      .map((call, index) => {
        const tool = task.tools.find((known) => known.id === call.name);
        const detail = detailOf(call.input);
        return {
          turn,
          call: index,
          label: tool?.name ?? `Unknown tool ${call.name}`,
          ...(detail !== '' && { detail }),
        };
      }),
  );
}

/** The first words of an input: a decision's option, or the fields of a document. */
function detailOf(input: unknown): string {
  const text =
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? Object.keys(input).join() === 'value'
        ? plain(Object.values(input)[0])
        : Object.entries(input)
            .map(([name, value]) => `${name}: ${plain(value)}`)
            .join(', ')
      : plain(input);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { endOf } from '../src/grade/episode/grade-turn.ts';
import { numbersOf, type TurnOutcome } from '../src/grade/episode/outcome.ts';
import { playTurn, startPlay } from '../src/grade/play/play.ts';
import { buildTask } from '../src/grade/scenario/build-task.ts';
import { findScenario, type Catalog } from '../src/grade/scenario/load/catalog.ts';
import type { TranscriptTurn, TurnMessage } from '../src/grade/scenario/transcript.ts';
import { gradeTranscript } from '../src/grade/score/grade-transcript.ts';
import type { Store } from '../src/grade/store/store.ts';
import { bareEpisode, bareTurn } from '../src/grade/store/testing/bare-record.ts';

const callsInTurn = 4;

/** Puts an episode into a store that is longer than any that a server lets be played; answers how many bytes its turns have. */
export async function keepLongEpisode(
  store: Store,
  catalog: Catalog,
  { id, turns, output = 5 }: { readonly id: string; readonly turns: number; readonly output?: number },
): Promise<number> {
  const scenario = findScenario(catalog, 'case-management', 'lumbar-strain');
  const own = buildTask(scenario);
  const task = { ...own, limits: { ...own.limits, turns: turns + 1 } };
  const paragraph = 'The claimant reports that the crate slipped as it was lifted from the second shelf. ';
  let { state } = startPlay(task);
  const played = Array.from({ length: turns }, (_, index): TranscriptTurn => {
    const turn = index + 1;
    const calls = Array.from({ length: callsInTurn }, (__, call) => ({
      name: `lookup_${call}`,
      input: { page: turn, query: paragraph.repeat(2), at: call },
    }));
    const messages: readonly TurnMessage[] = [
      { role: 'assistant', content: `${turn}. ${paragraph.repeat(3)}`, toolCalls: calls },
    ];
    ({ state } = playTurn(task, state, messages));
    return {
      turn,
      messages,
      outcomes: calls.map(({ name }) => ({ name, output: `${turn}: ${paragraph.repeat(output)}` })),
      observation: { role: 'assistant', content: `${turn}: ${paragraph}` },
    };
  });
  const transcript = { task: task.reference, opening: task.opening, turns: played, state };
  const grade = gradeTranscript(task, transcript);
  const rows = played.map((turn) => {
    const outcome: TurnOutcome = {
      turn: turn.turn,
      observation: turn.observation,
      results: turn.outcomes,
      numbers: numbersOf(grade),
    };
    return bareTurn(id, turn.turn, {
      messages: JSON.stringify(turn.messages),
      outcomes: JSON.stringify(turn.outcomes),
      answer: JSON.stringify(outcome),
    });
  });
  const { collection, scenario: slug, version, variant, seed } = task.reference;
  const record = bareEpisode(id, {
    collection,
    scenario: slug,
    version,
    variant,
    seed,
    status: 'complete',
    ...endOf(grade, 'completed'),
    options: JSON.stringify({ scoreTurns: true, explain: true, idleMs: 1, maxTurns: turns }),
    opening: JSON.stringify(task.opening),
    state: JSON.stringify(state),
    turnCount: turns,
  });
  await store.restoreEpisode(record, rows);
  return rows.reduce((sum, { messages, answer }) => sum + messages.length + answer.length, 0);
}

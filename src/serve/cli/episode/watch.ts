import type { ModelEvent } from '../../../base/message/model.ts';
import type { EpisodeDetailAnswer } from '../../api/episode.ts';
import type { TurnAnswer } from '../../api/turn.ts';
import type { Client } from '../../client/client.ts';
import { textColumns, wrapped } from '../../terminal/terminal-text.ts';
import { WordWrap } from '../../terminal/word-wrap.ts';

/** The live view of one episode, on standard error. */
export class Watch {
  readonly #client: Client;
  #facts = new Set<string>();
  #speaking = false;
  /** The words of this turn were shown as they came. */
  #told = false;
  /** For a person, words are broken between words. */
  readonly #columns = process.stderr.isTTY ? textColumns(process.stderr) : Infinity;
  readonly #words = new WordWrap(this.#columns);

  constructor(client: Client) {
    this.#client = client;
  }

  begin(opening: string): void {
    this.#line(`${opening}\n`);
  }

  /** The model's words as they come. */
  hear(event: ModelEvent): void {
    if (event.type === 'text') {
      process.stderr.write(this.#words.add(this.#speaking ? event.text : `Model: ${event.text}`));
      this.#speaking = true;
      this.#told = true;
    } else if (event.type === 'call-start') this.#line(`  … ${event.name}`);
    else if (event.type === 'retry') this.#line(`  (again in ${event.waitMs} ms: ${event.error.message})`);
    else if (event.type === 'finish') this.#line();
  }

  async turn(answer: TurnAnswer, id: string): Promise<void> {
    const { explain, turns } = await this.#client.episode(id);
    const said = turns.at(-1)?.messages ?? [];
    const notes = explain?.notes.filter((note) => note.turn === answer.turn) ?? [];
    let calls = 0;
    for (const message of said) {
      if (!this.#told && message.content !== '') this.#line(`Operator: ${message.content}`);
      for (const { name, input } of message.tool_calls ?? []) {
        const note = notes.find((one) => one.call === calls);
        calls += 1;
        this.#line(`  → ${note ? `${note.label}: ` : ''}${name} ${JSON.stringify(input)}`);
      }
    }
    this.#told = false;
    for (const result of answer.results ?? []) this.#line(`  ← ${result.name}: ${result.output}`);
    this.#line(`Person: ${answer.observation.content}`);
    const voice = explain?.voices?.find((one) => one.turn === answer.turn);
    if (voice?.fault !== undefined) this.#line(`  (by the rules: ${voice.fault})`);
    const found = (explain?.facts ?? []).filter((fact) => fact.discovered && !this.#facts.has(fact.id));
    for (const fact of found) {
      this.#facts.add(fact.id);
      this.#line(`  + ${fact.text}`);
    }
    const reward = explain?.grade.reward ?? (answer.scores && answer.reward);
    this.#line(
      `  turn ${answer.turn}${reward === undefined ? '' : `, reward so far ${reward.toFixed(3)}`}\n`,
    );
  }

  end({ grade, explain }: EpisodeDetailAnswer): void {
    const missed = explain?.grade.reasons.filter((reason) => reason.earned < reason.possible) ?? [];
    this.#line(
      `Reward ${(grade?.reward ?? 0).toFixed(3)}: ${grade?.success === 1 ? 'success' : 'no success'}, progress ${(grade?.progress ?? 0).toFixed(3)}`,
    );
    if (explain?.world_fault !== undefined)
      this.#line(`  ! The scenario is broken: ${explain.world_fault.message}`);
    if (grade?.not_judged !== undefined) this.#line(`  ? ${grade.not_judged} criteria were not judged`);
    for (const reason of missed)
      this.#line(`  − ${reason.reason}${reason.turn ? ` (turn ${reason.turn})` : ''}`);
  }

  #line(text = ''): void {
    if (this.#speaking) process.stderr.write(`${this.#words.end()}\n`);
    this.#speaking = false;
    if (text === '') return;
    const indent = /^\s*/.exec(text)![0];
    const columns = this.#columns;
    console.error(columns === Infinity ? text : wrapped(text.slice(indent.length), { columns, indent }));
  }
}

/** An episode that has ended, in the line of JSON that commands print. */
export function episodeSummary(episode: EpisodeDetailAnswer): Readonly<Record<string, unknown>> {
  const {
    episode_id,
    collection_slug,
    scenario_slug,
    variant,
    seed,
    group,
    turn_count,
    terminal_reason,
    grade,
    explain,
  } = episode;
  return {
    episode_id,
    collection_slug,
    scenario_slug,
    variant,
    seed,
    group,
    turns: turn_count,
    terminal_reason,
    reward: grade?.reward,
    success: grade?.success,
    progress: grade?.progress,
    gate: grade?.gate,
    scores: grade?.scores,
    not_judged: grade?.not_judged,
    person_fault: explain?.grade.person_fault,
  };
}

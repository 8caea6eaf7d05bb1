interface Wait<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupStatementOptions<Item, Answer> {
  /** Asks a database for all of them in one statement; the answers are in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Whether an error tells that nothing of a statement was done, and that others may still be. */
  readonly wasRefused: (error: unknown) => boolean;
  /** Whether an error tells that no connection came about: then whoever waits would wait as long for the same. */
  readonly neverReached: (error: unknown) => boolean;
}

/** No statement grows without bound. */
const most = 100;

/**
 * Work of one kind that goes to a database together: what comes first goes at once, and what comes while that is
 * under way goes next, in one statement. So nobody waits for a neighbour that may not come, and many share a round
 * trip and a commit.
 */
export class GroupStatement<Item, Answer> {
  readonly #options: GroupStatementOptions<Item, Answer>;
  #waiting: Wait<Item, Answer>[] = [];
  #underWay = false;

  constructor(options: GroupStatementOptions<Item, Answer>) {
    this.#options = options;
  }

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#underWay) return;
      this.#underWay = true;
      // What arrives in the same round of the event loop goes along.
      setImmediate(() => void this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) await this.#run(this.#waiting.splice(0, most));
    this.#underWay = false;
  }

  async #run(group: readonly Wait<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.run(group.map(({ item }) => item));
      // One answer for each item: so `run` promises.
      group.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      const lost = this.#options.neverReached(error) ? [...group, ...this.#waiting.splice(0)] : group;
      if (group.length > 1 && this.#options.wasRefused(error))
        // One of them was refused and took the others back with it: each by itself, so that only the guilty fail.
        await Promise.all(group.map((one) => this.#run([one])));
      else for (const { reject } of lost) reject(error);
    }
  }
}

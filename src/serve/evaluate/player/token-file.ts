import { appendFileSync } from 'node:fs';

import type { Model } from '../../../base/message/model.ts';
import { tokenLine } from '../../../eval/exchange/token-lines.ts';

/** A file that gets the tokens of each reply, a line each, where the provider tells them. */
export class TokenFile {
  readonly #file: string;
  /** Replies with tokens, and without. */
  told = 0;
  untold = 0;

  constructor(file: string) {
    this.#file = file;
    // That it cannot be written is said before anything is played.
    appendFileSync(file, '');
  }

  /** The same model, asked for tokens as well, while it plays this episode. */
  follow(model: Model, episode: string): Model {
    let reply = 0;
    const told = (line: object | undefined): void => {
      if (line === undefined) this.untold += 1;
      else {
        this.told += 1;
        appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
      }
    };
    return {
      name: model.name,
      api: model.api,
      capabilities: model.capabilities,
      generate: (request, options) => model.generate(request, options),
      async *stream(request, options) {
        const asking = { ...request, tokens: { ids: true, logprobs: true } };
        for await (const event of model.stream(asking, options)) {
          if (event.type === 'finish') told(tokenLine(episode, reply++, event.reply));
          yield event;
        }
      },
    };
  }
}

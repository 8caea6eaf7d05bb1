import type { Chunk, ReadContext, StreamReader } from './adapter.ts';
import type { ReplyAssembler } from './assemble-reply.ts';
import { garbledError, isGarbled } from './garbled.ts';

/** A state that puts one reply together. */
interface Assembling {
  readonly reply: ReplyAssembler;
}

/**
 * The reader of a stream, from how it begins and what a chunk adds. A reason to end is the last that matters: a
 * connection that is lost after it has lost nothing.
 */
export function replyReader<State extends Assembling>(
  begin: (context: ReadContext) => State,
  readChunk: (state: State, chunk: Chunk) => void,
): StreamReader<State> {
  return {
    begin: (context = {}) => begin(context),
    read(state, chunk) {
      if (isGarbled(chunk)) state.reply.error(garbledError(chunk));
      else readChunk(state, chunk);
      return [state, state.reply.take()];
    },
    end(state, error) {
      if (error !== undefined && state.reply.finish === undefined) state.reply.error(error);
      state.reply.close();
      return [state, state.reply.take()];
    },
  };
}

import type { Chunk, ReadContext, StreamReader } from '../adapter.ts';
import type { ReplyAssembler } from './assemble-reply.ts';
import { failureOf } from './failure.ts';

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
      const failure = failureOf(chunk);
      if (failure !== undefined) state.reply.error(failure);
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

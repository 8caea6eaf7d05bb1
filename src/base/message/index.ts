/** `whetstone/message`: replies that still arrive, histories from elsewhere, and the words of every stage as schemas. */
export { argumentsAsObject, argumentsAsText, type ArgumentsReading, readArguments } from './arguments.ts';
export { asCall, type CallOrAction, requiresLocalExecution } from './call.ts';
export { checkHistory, type HistoryChange, type HistoryProblem, mendHistory } from './check-history.ts';
export { completePartial } from './complete.ts';
export { LiveReply, type PlacedPart } from './live-reply.ts';
export { messageSchema, messageSchemaVersion, wordSchema } from './message-schema.ts';
export {
  argumentsSoFar,
  mergeAllPartials,
  mergePartials,
  partialCall,
  type PartialCall,
  partialMessage,
  type PartialMessage,
  type PartialPart,
  partialText,
  type PartialText,
} from './partial-message.ts';
export { readCall, readMessages, readResult } from './read-message.ts';
export { stripImages } from './strip-images.ts';

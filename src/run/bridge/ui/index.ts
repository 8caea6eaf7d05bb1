/** `whetstone/ui`: a page speaks to a run, through the AI SDK's UI messages (`useChat`) or our own events. */
export type { UIChunk } from './chunk.ts';
export { readUIMessages, type ReadUIMessages } from './read-ui-messages.ts';
export { readRunEvents, runEventResponse, type SentEvent } from './run-events.ts';
export { toUIMessageStream, uiMessageResponse, type UIMessageStreamOptions } from './ui-message-stream.ts';

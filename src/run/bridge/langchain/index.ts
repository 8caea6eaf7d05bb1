/** `whetstone/langchain`: tools, messages and chat models of LangChain.js become ours, and ours theirs. */
export { langchainModel, type LangChainChatModel } from './chat-model.ts';
export { fromLangChainMessages } from './read-messages.ts';
export { fromLangChainTools, type LangChainTool } from './read-tools.ts';
export { type LangChainMessage, toLangChainMessages } from './write-messages.ts';
export { type LangChainClasses, toLangChainTools, type ToLangChainOptions } from './write-tools.ts';

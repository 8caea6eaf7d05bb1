export type { AiSdkAgent } from './ai-sdk-agent.ts';
export type { Beginning, EpisodeTool, OperatorStep, TurnAnswered, TurnMessage } from './episode.ts';
export type { FunctionAgent, Heard, Said } from './function-agent.ts';
export type { OpenAIAgent, RunAgent } from './openai-agent.ts';
export { operator } from './operator.ts';
export type { AnyAgent, Operator, OperatorOptions, Play } from './operator.ts';

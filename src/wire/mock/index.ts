export { mock } from './server.ts';
export type { Mock, MockOptions } from './server.ts';
export { mockModel } from './model.ts';
export type { MockModel, MockModelOptions } from './model.ts';
export type {
  Asked,
  MockCall,
  MockCondition,
  MockFault,
  MockFunction,
  MockReply,
  MockReplyFields,
  MockScript,
  MockStep,
} from './script.ts';

/** `whetstone/schema`: schemas as providers take them, values there and back, and checks that say what is wrong. */
export { type CheckOptions, checkValue, loadChecker } from './schema/check/check.ts';
export { coerce, type Coerced, type Coercion } from './schema/check/coerce.ts';
export { describeIssues, type Issue } from './schema/check/issue.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { decodeValue } from './dialect/value/decode-value.ts';
export { type Dialect, dialects } from './dialect/dialect.ts';
export { encodeValue } from './dialect/value/encode-value.ts';
export { lower, type Lowered, type LowerOptions } from './dialect/lower.ts';
export type { Plan, Report } from './dialect/plan.ts';
export { type AcceptedSchema, type InputOf, type OutputOf, readSchema } from './schema/read-schema.ts';
export { callIds, type NameMap, type NameOptions, type NameRules, toolNames } from './schema/name.ts';
export { callArguments, type Injected } from './signature/call-arguments.ts';
export { readSignatures, type ReadSignaturesOptions } from './signature/read-signatures.ts';
export type { SignatureFile } from './signature/signature-file.ts';
export type { Refusal, SignatureParameter, StoredSignature, ToolSignature } from './signature/signature.ts';

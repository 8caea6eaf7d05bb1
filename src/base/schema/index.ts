/** `whetstone/schema`: schemas as providers take them, values there and back, and checks that say what is wrong. */
export { type CheckOptions, checkValue, loadChecker } from './check/check.ts';
export { coerce, type Coerced, type Coercion } from './check/coerce.ts';
export { describeIssues, type Issue } from './check/issue.ts';
export type { JsonSchema } from './json-schema.ts';
export { decodeValue } from './lower/value/decode-value.ts';
export { type Dialect, dialects } from './lower/dialect.ts';
export { encodeValue } from './lower/value/encode-value.ts';
export { lower, type Lowered, type LowerOptions } from './lower/lower.ts';
export type { Plan, Report } from './lower/plan.ts';
export { type AcceptedSchema, type InputOf, type OutputOf, readSchema } from './lower/read-schema.ts';
export { callIds, type NameMap, type NameOptions, type NameRules, toolNames } from './name.ts';
export { callArguments, type Injected } from './signature/call-arguments.ts';
export { readSignatures, type ReadSignaturesOptions } from './signature/read-signatures.ts';
export type { SignatureFile } from './signature/signature-file.ts';
export type { Refusal, SignatureParameter, StoredSignature, ToolSignature } from './signature/signature.ts';

/** `whetstone/schema`: schemas as providers take them, values there and back, and checks that say what is wrong. */
export { type CheckOptions, checkValue, loadChecker } from './schema/check/check.ts';
export { coerce, type Coerced, type Coercion } from './schema/check/coerce.ts';
export { describeIssues, type Issue } from './schema/check/issue.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { decodeValue } from './schema/lower/value/decode-value.ts';
export { type Dialect, dialects } from './schema/lower/dialect.ts';
export { encodeValue } from './schema/lower/value/encode-value.ts';
export { lower, type Lowered, type LowerOptions } from './schema/lower/lower.ts';
export type { Plan, Report } from './schema/lower/plan.ts';
export { type AcceptedSchema, type InputOf, type OutputOf, readSchema } from './schema/lower/read-schema.ts';
export { callIds, type NameMap, type NameOptions, type NameRules, toolNames } from './schema/name.ts';
export { callArguments, type Injected } from './signature/call-arguments.ts';
export { readSignatures, type ReadSignaturesOptions } from './signature/read-signatures.ts';
export type { SignatureFile } from './signature/signature-file.ts';
export type { Refusal, SignatureParameter, StoredSignature, ToolSignature } from './signature/signature.ts';

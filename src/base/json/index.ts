/** `whetstone/json`: JSON that arrives in pieces, that is almost right, or whose numbers no double holds. */
export { JsonBytes } from './read/bytes.ts';
export { canonicalJson } from './canonical.ts';
export { jsonEqual } from './equal.ts';
export type { JsonEvent, JsonPathEvent } from './read/events.ts';
export { type JsonLimits, networkLimits } from './read/limits.ts';
export { NumberToken } from './number-token.ts';
export { parseJson, type ParseJsonOptions } from './parse.ts';
export type { JsonPath } from './path.ts';
export { formatPointer, getByPointer, parsePointer } from './pointer.ts';
export { JsonReader, type JsonReaderOptions } from './read/reader.ts';
export { type RepairChange, type Repaired, repairJson } from './repair/repair.ts';
export { hashJson, sha256 } from './sha256.ts';
export { anyKey, type PathListener, type PathPattern } from './read/subscription.ts';
export type { ExactJson, JsonObject, JsonValue } from './value.ts';

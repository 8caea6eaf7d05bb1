import type { JsonObject } from '../json/value.ts';

/** A JSON Schema (draft 2020-12 or 7), as data. `true` and `false` are schemas too. */
export type JsonSchema = JsonObject | boolean;

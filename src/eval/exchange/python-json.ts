import type { JsonValue } from '../../base/json/value.ts';

/** A JSON text as Python writes it: `NaN` and infinities, which no JSON has, are read as null. */
export function parsePythonJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const mended = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs, (found) =>
      found.startsWith('"') ? found : 'null',
    );
    if (mended === text) throw error;
    return JSON.parse(mended) as JsonValue;
  }
}

import assert from 'node:assert/strict';

import type { JsonObject } from '../src/base/json/value.ts';
import { adapterOf } from '../src/wire/catalog.ts';
import { normalRequest } from './normal-request.ts';

/** Each body is read into our words and written again: it asks the same. */
export function comesBack(api: string, bodies: readonly object[]): void {
  for (const body of bodies as readonly JsonObject[]) {
    const adapter = adapterOf(api);
    const { request, model, stream } = adapter.readRequest(body);
    const written = adapter.writeRequest(request, { model, stream }).body;
    assert.deepEqual(normalRequest(api, written), normalRequest(api, body), JSON.stringify(body));
  }
}

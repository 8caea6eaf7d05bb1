import type { Adapter } from './adapter.ts';
import { bearer } from './bearer.ts';
import { restOf } from './json-fields.ts';

/** Anthropic's API as Vertex AI carries it: the model is in the path, the version in the body. */
export function vertexAnthropic(inner: Adapter): Adapter {
  const fields = { anthropic_version: 'vertex-2023-10-16' };
  return {
    ...inner,
    api: 'vertex-anthropic',
    access: {
      baseUrl: 'https://aiplatform.googleapis.com/v1',
      baseUrlVariable: 'VERTEX_BASE_URL',
      keyVariable: 'VERTEX_ACCESS_TOKEN',
      path: (model, stream) =>
        `/publishers/anthropic/models/${model}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
      headers: bearer,
    },
    writeRequest(request, options) {
      const written = inner.writeRequest(request, options);
      return { ...written, body: { ...fields, ...restOf(written.body, ['model']) } };
    },
    readRequest: (body) => inner.readRequest(restOf(body, Object.keys(fields)) ?? {}),
  };
}

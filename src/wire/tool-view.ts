import type { JsonObject } from '../base/json/value.ts';
import type { ToolSpec } from '../base/message/model.ts';
import type { RequestReport } from './adapter.ts';
import { adapterOf } from './catalog.ts';

/** What one API sees of some tools. */
export interface ApiView {
  readonly api: string;
  readonly tools: readonly ToolView[];
  /** Of the request as a whole. */
  readonly reports: readonly RequestReport[];
  readonly request: JsonObject;
}

export interface ToolView {
  readonly name: string;
  readonly sent: boolean;
  readonly wireName?: string;
  readonly strict?: boolean;
  readonly schema?: unknown;
  readonly reports: readonly RequestReport[];
}

/** The tools as they would be sent to an API, and what it does not learn of them. */
export function viewTools(specs: readonly ToolSpec[], api: string, model = 'any'): ApiView {
  const written = adapterOf(api).writeRequest(
    { messages: [{ role: 'user', content: 'Hello.' }], tools: specs },
    { model, unfitTools: 'leave-out' },
  );
  const reports = [...written.reports, ...written.tools.reports];
  const tools = specs.map((spec) => {
    const bound = written.tools.tools.find((each) => each.spec.name === spec.name);
    return {
      name: spec.name,
      sent: bound !== undefined,
      ...(bound && { wireName: bound.wireName, strict: bound.strict ?? false, schema: bound.schema }),
      reports: reports.filter((report) => report.tool === spec.name),
    };
  });
  const { messages: _messages, ...request } = written.body;
  return { api, tools, reports: reports.filter((report) => report.tool === undefined), request };
}

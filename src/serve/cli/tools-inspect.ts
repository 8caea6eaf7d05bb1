import type { JsonObject } from '../../base/json/value.ts';
import type { Toolbox } from '../../run/tool/toolbox.ts';
import type { RequestReport } from '../../wire/adapter.ts';
import { adapterOf, apiNames } from '../../wire/catalog.ts';
import { wrapped } from '../terminal/terminal-text.ts';

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
export function viewTools(box: Toolbox, api: string, model: string): ApiView {
  const written = adapterOf(api).writeRequest(
    { messages: [{ role: 'user', content: 'Hello.' }], tools: box.specs },
    { model, unfitTools: 'leave-out' },
  );
  const reports = [...written.reports, ...written.tools.reports];
  const tools = box.specs.map((spec) => {
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

/** Every API, or the one that was named. */
export function apisAsked(api: string | undefined): readonly string[] {
  return api === undefined ? apiNames : [api];
}

/** For a person: tool by tool, what each API is sent and what it does not learn; alike APIs in one line. */
export function viewsText(views: readonly ApiView[], columns: number): string {
  const names = views[0]?.tools.map(({ name }) => name) ?? [];
  const parts = names.map((name, place) => {
    const told = Map.groupBy(views, ({ tools }) => toolText(tools[place]!));
    const lines = [...told].map(([text, alike]) => {
      const apis =
        alike.length === views.length && views.length > 1
          ? 'every API'
          : alike.map(({ api }) => api).join(', ');
      return wrapped(`${apis}: ${text}`, { columns, indent: '    ', first: '  ' });
    });
    return [name, ...lines].join('\n');
  });
  const general = views.flatMap(({ api, reports }) => reports.map(({ message }) => `${api}: ${message}`));
  return [
    ...parts,
    ...(general.length > 0 ? [general.map((line) => wrapped(line, { columns })).join('\n')] : []),
  ].join('\n\n');
}

function toolText({ name, sent, wireName, strict, reports }: ToolView): string {
  const said = reports.map(({ field, message }) =>
    field === undefined || field === '' || message.includes(field) ? message : `${field}: ${message}`,
  );
  if (!sent) return `not sent. ${said.join(' ')}`;
  const how = [
    strict === true ? 'sent, strict' : 'sent',
    ...(wireName !== undefined && wireName !== name ? [`as ${wireName}`] : []),
  ].join(' ');
  return said.length === 0 ? `${how}, nothing lost.` : `${how}. ${said.join(' ')}`;
}

import { apiNames } from '../../wire/catalog.ts';
import type { ApiView, ToolView } from '../../wire/tool-view.ts';
import { wrapped } from '../terminal/terminal-text.ts';

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

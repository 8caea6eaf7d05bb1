import { omitUndefined } from './json-fields.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { ComputerOffer, ModelRequest, ToolSpec } from '../base/message/model.ts';

/**
 * The request with each computer under the tool that this API has for it, in the version that the model takes; where it
 * has none, as a plain function.
 */
export function offerComputers(request: ModelRequest, api: string, model: string): ModelRequest {
  if (request.tools?.some(isComputer) !== true) return request;
  const entries: JsonObject[] = [];
  const tools = request.tools.map((spec): ToolSpec => {
    if (!isComputer(spec)) return spec;
    const entry = entryOf(api, model, spec.computer);
    if (entry === undefined) {
      const { description, input } = spec.computer;
      return { kind: 'function', name: spec.name, description, input };
    }
    entries.push(entry);
    return { kind: 'hosted', name: spec.name, api, entry };
  });
  if (!entries.some(({ type }) => type === 'computer_use_preview')) return { ...request, tools };
  // It is refused without.
  const options = { truncation: 'auto', ...request.providerOptions?.[api] };
  return { ...request, tools, providerOptions: { ...request.providerOptions, [api]: options } };
}

/** The name of the trial that a computer of Anthropic is part of: it must be said in a header. */
export function betaOf(tools: readonly ToolSpec[] | undefined): string | undefined {
  for (const spec of tools ?? []) {
    const type = spec.kind === 'hosted' ? spec.entry['type'] : undefined;
    const [, year, month, day] = /^computer_(\d{4})(\d\d)(\d\d)$/.exec(String(type)) ?? [];
    if (year !== undefined) return `computer-use-${year}-${month}-${day}`;
  }
  return undefined;
}

type ComputerSpec = Extract<ToolSpec, { readonly kind: 'hosted' }> & { readonly computer: ComputerOffer };

function isComputer(spec: ToolSpec): spec is ComputerSpec {
  return spec.kind === 'hosted' && spec.computer !== undefined;
}

function entryOf(api: string, model: string, offer: ComputerOffer): JsonObject | undefined {
  if (api.endsWith('anthropic')) return anthropicEntry(model, offer, api !== 'bedrock-invoke-anthropic');
  if (api === 'openai-responses') return openaiEntry(model, offer);
  if (api !== 'gemini' && api !== 'vertex-gemini' && api !== 'gemini-interactions') return undefined;
  if (!/computer-use|gemini-(?:3|[4-9]|\d\d)/.test(model)) return undefined;
  const { environment } = offer;
  return api === 'gemini-interactions'
    ? { type: 'computer_use', environment }
    : { computerUse: { environment: `ENVIRONMENT_${environment.toUpperCase()}` } };
}

function anthropicEntry(
  model: string,
  { display }: ComputerOffer,
  hasToolsets: boolean,
): JsonObject | undefined {
  const type = anthropicType(model, hasToolsets);
  if (type === undefined) return undefined;
  // A toolset takes no other field.
  if (type.startsWith('computer_toolset')) return { type };
  return omitUndefined({
    type,
    name: 'computer',
    display_width_px: display.width,
    display_height_px: display.height,
    enable_zoom: type === 'computer_20251124' ? true : undefined,
  });
}

/** A model whose name says no version is taken for one of those before the toolsets. */
function anthropicType(model: string, hasToolsets: boolean): string | undefined {
  const [, family = '', major, minor = '0'] =
    /\bclaude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model) ?? [];
  if (major === undefined) {
    if (/claude-3-5-sonnet/.test(model)) return 'computer_20241022';
    if (/claude-3-7-sonnet/.test(model)) return 'computer_20250124';
    return /claude-3|claude-2|claude-instant/.test(model) ? undefined : 'computer_20251124';
  }
  const version = Number(major) + Number(minor) / 100;
  const toolset: Readonly<Record<string, number>> = {
    opus: 4.08,
    sonnet: 5,
    fable: 5,
    mythos: 5,
    haiku: 5.05,
  };
  if (hasToolsets && version >= toolset[family]!) return 'computer_toolset_20260801';
  const zoom: Readonly<Record<string, number>> = { opus: 4.05, sonnet: 4.06, fable: 5, mythos: 5, haiku: 5 };
  return version >= zoom[family]! ? 'computer_20251124' : 'computer_20250124';
}

function openaiEntry(model: string, { display, environment }: ComputerOffer): JsonObject | undefined {
  if (model.includes('computer-use-preview'))
    return {
      type: 'computer_use_preview',
      display_width: display.width,
      display_height: display.height,
      environment: environment === 'browser' ? 'browser' : 'linux',
    };
  const [, major, minor = '0'] = /\bgpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  if (major === undefined) return undefined;
  return Number(major) + Number(minor) / 100 >= 5.04 ? { type: 'computer' } : undefined;
}

import type { JsonObject } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Approver } from '../../tool/call/ask-approval.ts';
import type { ApprovalRequest, CallRecord, Decision } from '../../tool/call/call-record.ts';
import type { ToolUse } from '../../tool/lifecycle.ts';
import type { PreparedTool } from '../../tool/prepare-tool.ts';
import { runCall } from '../../tool/call/run-call.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';
import { completeGap, completes } from '../offer/completion.ts';
import { getPrompt, listPrompts } from '../offer/prompt.ts';
import type { ServedPrompt } from '../offer/prompt.ts';
import { listResources, readResource } from '../offer/resource.ts';
import type { ServedResource } from '../offer/resource.ts';
import { approvalForm, asksByForm, decisionFrom } from './ask-by-form.ts';
import { tellTo } from './call-listener.ts';
import type { CallListener } from './call-listener.ts';
import { withClient } from './mcp-client.ts';
import type { McpClient } from './mcp-client.ts';
import { argumentsFor, writeMcpTool } from './write-tool.ts';

export interface ServiceOptions {
  readonly tools: Toolbox;
  readonly use: ToolUse;
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly pageSize: number;
  /** Decides before anybody is asked. `undefined`: it is for the person at the client. */
  readonly approve: Approver | undefined;
  readonly resources: readonly ServedResource[];
  readonly prompts: readonly ServedPrompt[];
  readonly injected: Readonly<Record<string, unknown>>;
  readonly toolTimeout: number | false | undefined;
}

/** One `tools/call`, whichever protocol brought it. */
export interface AskedCall {
  readonly id: string | number;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  /** Who sent it, and may be asked something in turn. */
  readonly client: McpClient;
  readonly listener: CallListener;
}

/** Wrong calls that are remembered, to answer the third of a kind with the whole specification. */
const mostMistakes = 1000;

/** Asks the person at the client whether a call may run. The arguments are in the key: a yes is for these alone. */
async function askPerson(client: McpClient, request: ApprovalRequest): Promise<Decision> {
  if (!asksByForm(client.capabilities['elicitation']))
    return { decision: 'reject', reason: 'Nobody is at a terminal to allow it.' };
  return decisionFrom(
    await client.ask(`approval-${request.hash}`, 'elicitation/create', approvalForm(request)),
  );
}

/** What is served, whichever protocol asks: the list page by page, and calls that run as in a run. */
export class McpService {
  readonly options: ServiceOptions;
  /** What is under way. */
  readonly requests = new Set<Promise<unknown>>();
  /** Calls of tools that run one at a time wait here for the one before. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ServiceOptions) {
    this.options = options;
  }

  /** A box of what is offered now. */
  async offered(): Promise<Toolbox> {
    const { tools, injected } = this.options;
    return tools.available({ step: 1, messages: [], injected });
  }

  async list(cursor: unknown): Promise<JsonObject> {
    const { pageSize } = this.options;
    const tools = [...(await this.offered())];
    const from = readCursor(cursor, tools);
    const next = tools[from + pageSize];
    return {
      tools: tools.slice(from, from + pageSize).map(writeMcpTool),
      ...(next !== undefined && { nextCursor: next.name }),
    };
  }

  /** What this server can do, as it says it. */
  get capabilities(): JsonObject {
    const { resources, prompts } = this.options;
    return {
      tools: {},
      logging: {},
      ...(resources.length > 0 && { resources: {} }),
      ...(prompts.length > 0 && { prompts: {} }),
      ...(completes(prompts, resources) && { completions: {} }),
    };
  }

  /** Reads or lists what is offered apart from tools; undefined if there is no such method, or nothing of the kind. */
  offer(
    method: unknown,
    params: JsonObject,
    client: McpClient,
  ): JsonObject | Promise<JsonObject> | undefined {
    const { resources, prompts } = this.options;
    const kind = String(method).split('/')[0];
    if (
      (kind === 'resources' ? resources : kind === 'prompts' ? prompts : [...prompts, ...resources])
        .length === 0
    )
      return undefined;
    switch (method) {
      case 'resources/list':
        return listResources(resources, false);
      case 'resources/templates/list':
        return listResources(resources, true);
      case 'resources/read':
        return readResource(resources, params['uri']);
      case 'prompts/list':
        return listPrompts(prompts);
      case 'prompts/get':
        return getPrompt(prompts, params, client);
      case 'completion/complete':
        return completeGap(prompts, resources, params);
      default:
        return undefined;
    }
  }

  async call(asked: AskedCall, mistakes: Map<string, number> = new Map()): Promise<CallRecord> {
    const { injected, approve, use, toolTimeout } = this.options;
    const box = await this.offered();
    const tool = box.find(asked.name);
    const call: Call = {
      type: 'call',
      id: `mcp_${asked.id}`,
      name: asked.name,
      arguments: argumentsFor(tool, asked.arguments),
      kind: tool?.spec.kind === 'custom' ? 'custom' : 'function',
      requiresLocalExecution: true,
    };
    if (mistakes.size > mostMistakes) mistakes.clear();
    const run = (): Promise<CallRecord> =>
      runCall(call, box, {
        injected: withClient(injected, asked.client),
        mistakes,
        signal: asked.signal,
        approver: async (request, signal) =>
          (await approve?.(request, signal)) ?? (await askPerson(asked.client, request)),
        use,
        ...(toolTimeout !== undefined && { toolTimeout }),
        on: tellTo(asked.listener),
      });
    return tool?.oneAtATime === true ? this.#inLine(run) : run();
  }

  /** The same work, known to be under way until its answer is there. */
  track<Answer>(work: Promise<Answer>): Promise<Answer> {
    this.requests.add(work);
    return work.finally(() => this.requests.delete(work));
  }

  #inLine<Value>(run: () => Promise<Value>): Promise<Value> {
    const mine = this.#last.then(run);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

/** Where a page begins: the cursor is the name of its first tool, so that it holds while others come and go. */
function readCursor(cursor: unknown, tools: readonly PreparedTool[]): number {
  if (cursor === undefined) return 0;
  const index = tools.findIndex(({ name }) => name === cursor);
  if (index < 0)
    throw new RpcError(invalidParams, `There is no page that begins at ${JSON.stringify(cursor)}.`);
  return index;
}

import type { JsonObject } from '../../../base/json/value.ts';
import type { Call } from '../../../base/message/call.ts';
import type { Approver } from '../../tool/call/ask-approval.ts';
import type { ToolUse } from '../../tool/lifecycle.ts';
import type { PreparedTool } from '../../tool/prepare-tool.ts';
import { runCall } from '../../tool/call/run-call.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { Server, ServerSdk } from './sdk.ts';
import { ProgressWriter } from './write-progress.ts';
import { writeMcpResult } from './write-result.ts';
import { argumentsFor, writeMcpTool } from './write-tool.ts';

export interface SessionOptions {
  readonly sdk: ServerSdk;
  readonly tools: Toolbox;
  readonly use: ToolUse;
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly pageSize: number;
  readonly approve: Approver;
  readonly injected: Readonly<Record<string, unknown>>;
  readonly toolTimeout: number | false | undefined;
  readonly work: Work;
}

/** What all sessions of one server have under way. */
export interface Work {
  readonly requests: Set<Promise<unknown>>;
  /** Calls of tools that run one at a time wait here for the one before. */
  last: Promise<unknown>;
}

const invalidParams = -32602;
/** Wrong calls that are remembered, to answer the third of a kind with the whole specification. */
const mostMistakes = 1000;

/** The server side of one conversation: lists the tools page by page, and runs what is called. */
export function mcpSession(options: SessionOptions): Server {
  const { sdk, name, version, instructions, injected } = options;
  const server = new sdk.Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  );
  const mistakes = new Map<string, number>();
  const offered = async (): Promise<Toolbox> => options.tools.available({ step: 1, messages: [], injected });

  const list = tracked(options.work, async ({ params }: ListRequest) => {
    const tools = [...(await offered())];
    const from = readCursor(params?.cursor, tools, sdk);
    const page = tools.slice(from, from + options.pageSize).map(writeMcpTool);
    const next = tools[from + options.pageSize];
    // Our own schemas, which were read when the tools were defined.
    return { tools: page as never, ...(next !== undefined && { nextCursor: next.name }) };
  });

  const call = tracked(options.work, async ({ params }: CallRequest, extra: CallExtra) => {
    const box = await offered();
    const tool = box.find(params.name);
    const asked: Call = {
      type: 'call',
      id: `mcp_${extra.requestId}`,
      name: params.name,
      arguments: argumentsFor(tool, (params.arguments ?? {}) as JsonObject),
      kind: tool?.spec.kind === 'custom' ? 'custom' : 'function',
      requiresLocalExecution: true,
    };
    const token = extra._meta?.progressToken;
    const progress = new ProgressWriter();
    if (mistakes.size > mostMistakes) mistakes.clear();
    const run = () =>
      runCall(asked, box, {
        injected,
        mistakes,
        signal: extra.signal,
        approver: options.approve,
        use: options.use,
        ...(options.toolTimeout !== undefined && { toolTimeout: options.toolTimeout }),
        on: (event) => {
          const written = token === undefined ? undefined : progress.write(event);
          if (written === undefined || token === undefined) return;
          const notification = { progressToken: token, ...written };
          // Whoever has gone away hears no progress, and loses nothing by it.
          extra
            .sendNotification({ method: 'notifications/progress', params: notification })
            .catch(() => undefined);
        },
      });
    const { result } = await (tool?.oneAtATime === true ? inLine(options.work, run) : run());
    return writeMcpResult(result) as never;
  });
  server.setRequestHandler(sdk.ListToolsRequestSchema, list);
  server.setRequestHandler(sdk.CallToolRequestSchema, call);
  return server;
}

/** What the SDK gives the handlers, as far as they use it. */
interface ListRequest {
  readonly params?: { readonly cursor?: string | undefined } | undefined;
}
interface CallRequest {
  readonly params: { readonly name: string; readonly arguments?: unknown };
}
interface CallExtra {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number };
  }) => Promise<void>;
}

/** The same handler, known to be under way until its answer is there. */
function tracked<Given extends readonly unknown[], Answer>(
  work: Work,
  handle: (...given: Given) => Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  return (...given) => {
    const answer = handle(...given);
    work.requests.add(answer);
    return answer.finally(() => work.requests.delete(answer));
  };
}

/** Where a page begins: the cursor is the name of its first tool, so that it holds while others come and go. */
function readCursor(cursor: string | undefined, tools: readonly PreparedTool[], sdk: ServerSdk): number {
  if (cursor === undefined) return 0;
  const index = tools.findIndex(({ name }) => name === cursor);
  if (index < 0)
    throw new sdk.McpError(invalidParams, `There is no page that begins at ${JSON.stringify(cursor)}.`);
  return index;
}

function inLine<Value>(work: Work, run: () => Promise<Value>): Promise<Value> {
  const mine = work.last.then(run);
  work.last = mine.catch(() => undefined);
  return mine;
}

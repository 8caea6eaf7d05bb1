import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';

import { isWhetstoneError } from '../../base/host/errors.ts';
import { resultText } from '../../base/message/result.ts';
import type { PreparedTool } from '../../run/tool/prepare-tool.ts';
import { programUse } from '../../run/tool/lifecycle.ts';
import { runCall } from '../../run/tool/call/run-call.ts';
import { adapterOf, apiNames } from '../../wire/catalog.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { loadTools } from '../terminal/load-tools.ts';

export function command(): Command {
  const tools = new Command('tools').description('Look at tools, check them, and call them without a model.');
  tools
    .command('list')
    .description('List what there is, as JSON.')
    .argument(
      '[place]',
      'a module that exports tools, or a folder with spec.json (default: ./tools.ts, ./tools)',
    )
    .action(list);
  tools
    .command('check')
    .description('Say what is wrong with the tools of a module or a folder, every fault at once.')
    .argument(
      '[place]',
      'a module that exports tools, or a folder with spec.json (default: ./tools.ts, ./tools)',
    )
    .action(check);
  tools
    .command('call')
    .description('Call one tool as a model would, and print its result as JSON.')
    .argument('<name>', 'the tool')
    .argument('[arguments]', 'its arguments as JSON', '{}')
    .option(
      '--tools <place>',
      'a module that exports tools, or a folder with spec.json (default: ./tools.ts, ./tools)',
    )
    .option('--yes', 'approve the call, where the tool wants a person to')
    .action(call);
  tools
    .command('inspect')
    .description('Show what a provider will see of the tools, and what is lost on the way.')
    .argument(
      '[place]',
      'a module that exports tools, or a folder with spec.json (default: ./tools.ts, ./tools)',
    )
    .requiredOption('--api <name>', `which provider: ${apiNames.join(', ')}`)
    .option('--model <name>', 'its model, where that makes a difference', 'any')
    .action(inspect);
  return tools;
}

async function list(place: string | undefined): Promise<void> {
  const box = await loadTools(place);
  console.log(JSON.stringify([...box].map(describe), null, 2));
}

function describe({ name, spec, runs, tool, oneAtATime }: PreparedTool): object {
  const { approval = 'never' } = tool;
  return {
    name,
    description: tool.description,
    kind: spec.kind,
    ...(spec.kind === 'function' && { input: spec.input }),
    runs,
    approval: typeof approval === 'function' ? 'decided by its arguments' : approval,
    concurrency: oneAtATime ? 'one-at-a-time' : 'parallel',
    ...(tool.timeout !== undefined && { timeout: tool.timeout }),
    ...(tool.idempotent === true && { idempotent: true }),
  };
}

async function check(place: string | undefined): Promise<void> {
  const faults: { readonly place: string; readonly code: string; readonly message: string }[] = [];
  let checked = 0;
  for (const each of placesIn(place)) {
    try {
      checked += (await loadTools(each)).size;
    } catch (error) {
      if (!isWhetstoneError(error) || error.code === 'usage') throw error;
      faults.push({ place: each ?? '.', code: error.code, message: error.message });
    }
  }
  console.log(JSON.stringify({ tools: checked, faults }, null, 2));
  if (faults.length > 0) process.exitCode = exitCode.no;
}

/** A folder of command tools is checked tool by tool, so that one fault does not hide the next. */
function placesIn(place: string | undefined): readonly (string | undefined)[] {
  if (place === undefined || !existsSync(place) || !statSync(place).isDirectory()) return [place];
  if (existsSync(join(place, 'spec.json'))) return [place];
  const folders = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const tools = folders
    .map((entry) => join(place, entry.name))
    .filter((each) => existsSync(join(each, 'spec.json')));
  return tools.length > 0 ? tools : [place];
}

async function call(name: string, text: string, options: { tools?: string; yes?: boolean }): Promise<void> {
  const box = await loadTools(options.tools);
  try {
    const record = await runCall(
      {
        type: 'call',
        id: 'call_1',
        name,
        arguments: text,
        kind: box.find(name)?.spec.kind === 'custom' ? 'custom' : 'function',
        requiresLocalExecution: true,
      },
      box,
      {
        ...(options.yes === true && { approver: () => true }),
        on: (event) => {
          if (event.type === 'progress') console.error(JSON.stringify(event.progress));
        },
      },
    );
    const { result, success, notes, changes } = record;
    console.log(
      JSON.stringify(
        { name, success, text: resultText(result), notes, ...(changes && { changes }), result },
        null,
        2,
      ),
    );
    if (record.waitsFor === 'approval')
      console.error('whet: the tool wants a person to approve this call; say --yes.');
    if (!success) process.exitCode = exitCode.no;
  } finally {
    await programUse.release();
  }
}

async function inspect(place: string | undefined, options: { api: string; model: string }): Promise<void> {
  const adapter = adapterOf(options.api);
  const box = await loadTools(place);
  const written = adapter.writeRequest(
    { messages: [{ role: 'user', content: 'Hello.' }], tools: box.specs },
    { model: options.model, unfitTools: 'leave-out' },
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
  const general = reports.filter((report) => report.tool === undefined);
  console.log(JSON.stringify({ api: options.api, tools, reports: general, request }, null, 2));
  if (tools.some((tool) => !tool.sent)) process.exitCode = exitCode.no;
}

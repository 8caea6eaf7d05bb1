import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';

import { isWhetstoneError } from '../../base/host/errors.ts';
import { resultText } from '../../base/message/result.ts';
import type { PreparedTool } from '../../run/tool/prepare-tool.ts';
import { programUse } from '../../run/tool/lifecycle.ts';
import { runCall } from '../../run/tool/call/run-call.ts';
import { apiNames } from '../../wire/catalog.ts';
import { viewTools } from '../../wire/tool-view.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { textColumns } from '../terminal/terminal-text.ts';
import { loadTools } from '../terminal/load-tools.ts';
import { apisAsked, viewsText } from './tools-inspect.ts';

export function command(): Command {
  const tools = new Command('tools').description('Look at tools, check them, and call them without a model.');
  tools
    .command('list')
    .description('List all tools, as JSON.')
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
    .option('--yes', 'approve the call, if the tool asks for approval')
    .action(call);
  tools
    .command('inspect')
    .description('Show what a provider will see of the tools, and what is lost on the way.')
    .argument(
      '[place]',
      'a module that exports tools, or a folder with spec.json (default: ./tools.ts, ./tools)',
    )
    .option('--api <name>', `which provider: ${apiNames.join(', ')} (default: every one)`)
    .option('--model <name>', 'its model, if that makes a difference', 'any')
    .option('--json', 'print JSON even on a terminal: one object for one API, a list for all of them')
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
      console.error('whet: the tool asks for approval of this call; give --yes.');
    if (!success) process.exitCode = exitCode.no;
  } finally {
    await programUse.release();
  }
}

interface InspectOptions {
  readonly api?: string;
  readonly model: string;
  readonly json?: boolean;
}

async function inspect(place: string | undefined, { api, model, json }: InspectOptions): Promise<void> {
  const box = await loadTools(place);
  const views = apisAsked(api).map((each) => viewTools(box.specs, each, model));
  const { stdout } = process;
  if (json === true || !stdout.isTTY)
    console.log(JSON.stringify(api === undefined ? views : views[0], null, 2));
  else console.log(viewsText(views, textColumns(stdout)));
  if (views.some(({ tools }) => tools.some(({ sent }) => !sent))) process.exitCode = exitCode.no;
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import { formatDiagnostic } from '../../grade/scenario/diagnostic.ts';
import { readYaml } from '../../grade/scenario/load/yaml.ts';
import { doorsText } from '../../wire/mock/doors.ts';
import { readScript } from '../../wire/mock/read-script.ts';
import { describeStep } from '../../wire/mock/player.ts';
import type { MockScript } from '../../wire/mock/script.ts';
import { mock } from '../../wire/mock/server.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { port } from '../terminal/option/option.ts';
import { stopSignal } from '../terminal/stop-signal.ts';

export function command(): Command {
  return new Command('mock')
    .summary('answer like a provider, from a script')
    .description(
      `Answers like a provider, from a script, until it is stopped.\nIt takes ${doorsText}.\nIts address is the base URL of Anthropic's and Google's clients; OpenAI's need /v1 after it.\nRequests are logged to standard error; replies that nobody asked for are listed at the end.`,
    )
    .argument(
      '<script>',
      'a YAML or JSON file with replies, or a module (.ts, .js) whose default export is a script',
    )
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 0)
    .action(run);
}

async function run(file: string, options: { readonly port: number }): Promise<void> {
  const script = await loadScript(file);
  await using provider = await mock(script, {
    port: options.port,
    onAsked: ({ index, api, model, stream }) =>
      console.error(`${index + 1}. ${api} ${model}${stream ? ', streamed' : ''}`),
  });
  console.log(JSON.stringify({ url: provider.url, port: provider.port }));
  await stopSignal();
  const left = provider.unconsumed;
  if (left.length === 0) return;
  console.error(`whet: ${left.length} ${left.length === 1 ? 'reply was' : 'replies were'} not asked for:`);
  for (const step of left) console.error(`  ${describeStep(step)}`);
  process.exitCode = exitCode.no;
}

async function loadScript(file: string): Promise<MockScript> {
  try {
    if (/\.[cm]?[jt]s$/.test(file)) {
      const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly default?: unknown };
      return readScript(module.default, file);
    }
    const { value, faults } = readYaml(await readFile(file, 'utf8'), file);
    if (faults[0]) throw new Error(formatDiagnostic(faults[0]));
    return readScript(value, file);
  } catch (cause) {
    if (cause instanceof WhetstoneError) throw cause;
    throw new WhetstoneError(
      'mock_script_invalid',
      `The script ${file} cannot be read: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

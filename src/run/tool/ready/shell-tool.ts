import { childEnvironment } from '../../../base/host/environment.ts';
import type { AnyTool, ApprovalRule } from '../contract.ts';
import { tool } from '../define-tool.ts';
import { failCall, invalidArgument } from '../failure.ts';
import { runProgram } from '../run-program.ts';

export interface ShellToolOptions {
  /** Where commands start. It is not a fence: a command may go anywhere that this process may. */
  readonly cwd: string;
  /** `'always'` where nothing is said: a command can do whatever the user can. */
  readonly approval?: 'never' | 'always' | ApprovalRule<{ readonly command: string }>;
  /** Milliseconds that a command may take; two minutes where nothing is said. */
  readonly timeout?: number;
  /** Names of variables that commands may see, besides `PATH`, `HOME` and the like. Keys stay hidden. */
  readonly env?: readonly string[];
  /** Seconds of processor time that each of its processes may use; the timeout, and no less than 1, by default. */
  readonly cpuSeconds?: number;
  /** The largest file that a command may write, in megabytes; 1,000 where nothing is said. */
  readonly fileMegabytes?: number;
  /** Memory of each of its processes, in megabytes; unbounded where nothing is said. */
  readonly memoryMegabytes?: number;
}

/**
 * A shell command in a process of its own, which ends with its time and takes all that it started with it. A person
 * must agree to each command, unless `approval` says otherwise.
 * @example const tools = [shellTool({ cwd: process.cwd(), approval: ({ command }) => command !== 'npm test' })];
 */
export function shellTool(options: ShellToolOptions): AnyTool {
  const { cwd, approval = 'always', timeout = 120_000, env = [] } = options;
  return tool({
    name: 'shell',
    description: `Runs a command with \`sh\` and gives what it prints. There is no terminal and no standard input, and after ${Math.round(timeout / 1000)} seconds it is ended, with everything it started.`,
    input: {
      type: 'object',
      properties: { command: { type: 'string', minLength: 1, maxLength: 20_000 } },
      required: ['command'],
      additionalProperties: false,
    },
    approval: approval as 'always',
    timeout,
    concurrency: 'one-at-a-time',
    noteOnRequest: ({ command }) => ({ label: 'Running a command', detail: String(command) }),
    run: async ({ command }, { signal }) => {
      const text = String(command);
      if (text.includes('\0')) return invalidArgument('command', 'a command without null characters');
      const ended = await runProgram('/bin/sh', {
        // The command is an argument, not a part of this text: nothing in it can end the limits.
        args: ['-c', `${limitsOf(options, timeout)}exec /bin/sh -c "$1"`, 'sh', text],
        cwd,
        env: childEnvironment(env, {}),
        signal,
      });
      const printed = [ended.output, ended.errors].filter((each) => each !== '').join('\n');
      if (ended.code === 0) return printed === '' ? 'It printed nothing.' : printed;
      const how =
        ended.code === null ? `It was ended by ${ended.signal ?? 'a signal'}.` : `Exit code ${ended.code}.`;
      return failCall(`${how}\n${printed}`.trimEnd());
    },
  });
}

function limitsOf(
  { cpuSeconds, fileMegabytes = 1000, memoryMegabytes }: ShellToolOptions,
  timeout: number,
): string {
  const seconds = Math.max(1, Math.ceil(cpuSeconds ?? timeout / 1000));
  const memory = memoryMegabytes === undefined ? '' : `ulimit -v ${Math.ceil(memoryMegabytes * 1024)}; `;
  // Blocks of 512 bytes, as POSIX has it.
  return `ulimit -c 0; ulimit -t ${seconds}; ulimit -f ${Math.ceil(fileMegabytes * 2048)}; ${memory}`;
}

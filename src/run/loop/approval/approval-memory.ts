import { WhetstoneError } from '../../../base/host/errors.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { ApprovalRule } from '../../tool/call/approval-rule.ts';

/** Where a decision holds beyond its run: in this project, or wherever this person works. */
export type ApprovalScope = 'project' | 'always';

/** What people have decided before, and where it is written down. */
export interface ApprovalMemory {
  rules(): Promise<readonly ApprovalRule[]>;
  add(rule: ApprovalRule, scope: ApprovalScope): Promise<void>;
}

/**
 * Decisions in files that a person can read and edit: a list of rules as JSON, one file for the project and one for
 * everything. A file that is not there holds none.
 * @example run({ approve, approvalMemory: approvalFiles({ project: '.whetstone/approvals.json' }), … })
 */
export function approvalFiles(files: { readonly [Scope in ApprovalScope]?: string }): ApprovalMemory {
  /** One after the other: two decisions at once must not write over each other. */
  let last: Promise<unknown> = Promise.resolve();
  const inLine = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    rules: () =>
      inLine(async () => {
        const paths = [files.project, files.always].filter((path) => path !== undefined);
        return (await Promise.all(paths.map(readRules))).flat();
      }),
    add: (rule, scope) =>
      inLine(async () => {
        const path = files[scope];
        if (path === undefined)
          throw new WhetstoneError(
            'run_option_invalid',
            `A decision is to be kept for "${scope}", but approvalFiles was given no file for that. Give one: approvalFiles({ ${scope}: 'approvals.json' }).`,
          );
        const { mkdir, rename, writeFile } = await import('node:fs/promises');
        const { dirname } = await import('node:path');
        const rules = [...(await readRules(path)), rule];
        await mkdir(dirname(path), { recursive: true });
        // Whole or not at all: half a file would forget what was rejected.
        await writeFile(`${path}.new`, `${JSON.stringify(rules, null, 2)}\n`, { mode: 0o600 });
        await rename(`${path}.new`, path);
      }),
  };
}

async function readRules(path: string): Promise<readonly ApprovalRule[]> {
  const { readFile } = await import('node:fs/promises');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
  const rules = parsed(text);
  if (Array.isArray(rules) && rules.every(isRule)) return rules as unknown as readonly ApprovalRule[];
  throw new WhetstoneError(
    'run_option_invalid',
    `The file of approvals ${path} cannot be read: it must be a JSON list of rules such as { "tool": "shell", "arguments": { "command": { "startsWith": "git " } }, "decision": "approve" }. Correct it, or move it away.`,
    { details: { path } },
  );
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isRule(value: JsonValue): boolean {
  if (!isJsonObject(value) || typeof value['tool'] !== 'string') return false;
  return value['decision'] === 'approve' || value['decision'] === 'reject';
}

import { existsSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Command } from 'commander';

import { WhetstoneError } from '../../../base/host/errors.ts';
import { jsonEqual } from '../../../base/json/equal.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { Refusal } from '../../../base/signature/signature.ts';
import {
  printSignatureFile,
  readSignatureFile,
  signatureFile,
  type SignatureFile,
} from '../../../base/signature/signature-file.ts';
import { pathOf } from '../../../base/signature/source-hash.ts';
import { aheadFileOf } from '../../../run/tool/tools-from.ts';
import { exitCode } from '../../terminal/exit-code.ts';

/** `whet schema tools.ts`: the default of `whet schema`, in addition to its commands. */
export function addReadCommand(schema: Command): void {
  schema
    .command('read', { isDefault: true })
    .description('Read tools from the signatures of a TypeScript file, and write them to a file next to it.')
    .argument('<file>', 'a .ts file that exports functions or classes')
    .option(
      '--out <file>',
      'where to write; by default `tools.schema.ts` next to `tools.ts`; "-" for nowhere',
    )
    .option('--check', 'write nothing, and fail if the file is out of date')
    .option('--skip-refused', 'leave out what cannot be expressed, and name it on standard error')
    .action(readTools);
}

interface Flags {
  readonly out?: string;
  readonly check?: boolean;
  readonly skipRefused?: boolean;
}

async function readTools(file: string, flags: Flags): Promise<void> {
  const path = pathOf(file);
  const out = flags.out ?? aheadFileOf(path);
  if (out === undefined)
    throw new WhetstoneError('usage', `${file} is not a TypeScript file. Name one, or give --out.`);
  const refused: Refusal[] = [];
  const skip = { onRefusal: (refusal: Refusal) => refused.push(refusal) };
  const stored = await signatureFile(path, flags.skipRefused ? skip : {});
  for (const { tool, line, column, path: at, reason } of refused) {
    console.error(`whet: ${file}:${line}:${column} ${tool}${at === '' ? '' : `(${at})`}: ${reason}`);
  }
  const isFresh = out !== '-' && (await holdsAlready(out, stored));
  if (flags.check) process.exitCode = isFresh ? exitCode.ok : exitCode.no;
  else if (out !== '-') writeFileSync(out, printSignatureFile(stored, basename(path)));
  console.log(
    JSON.stringify({
      file: out === '-' ? null : relative('.', out),
      fresh: flags.check ? isFresh : true,
      tools: stored.signatures.map(({ name, description, input }) => ({ name, description, input })),
      refused,
    }),
  );
}

/** Whether the file says the same of every function; what else changed in the sources does not matter. */
async function holdsAlready(out: string, now: SignatureFile): Promise<boolean> {
  if (!existsSync(out)) return false;
  try {
    const { signatures } = (await import(pathToFileURL(resolve(out)).href)) as {
      readonly signatures?: unknown;
    };
    const before = readSignatureFile(signatures).signatures;
    return jsonEqual(before as unknown as JsonValue, now.signatures as unknown as JsonValue);
  } catch {
    // Whatever is there, it is not what would be written.
    return false;
  }
}

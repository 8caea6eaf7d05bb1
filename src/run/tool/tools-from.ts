import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import { jsonEqual } from '../../base/json/equal.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { readSignatureFile, signatureFile, type SignatureFile } from '../../base/signature/signature-file.ts';
import type { AnyTool } from './contract.ts';
import { toolsOf, type ToolsOfOptions } from './tools-of.ts';

/**
 * The exported functions of a file as tools, and the methods of its exported classes: names, descriptions and schemas
 * come from types and comments. Where `whet schema` has written a `….schema.ts` beside the file, that is taken (and
 * refused when it is stale); else the TypeScript compiler reads the file, which must be installed.
 *
 * @example const tools = await toolsFrom(import.meta.resolve('./tools.ts'));
 */
export async function toolsFrom(
  file: string | URL,
  options: ToolsOfOptions = {},
): Promise<readonly AnyTool[]> {
  const { existsSync } = await import('node:fs');
  const { pathToFileURL } = await import('node:url');
  const { pathOf } = await import('../../base/signature/source-hash.ts');
  const path = pathOf(file);
  if (!existsSync(path)) {
    throw new WhetstoneError('signature_file', `There is no file ${path} to take tools from.`, {
      details: { file: path },
    });
  }
  const ahead = aheadFileOf(path);
  const signatures =
    ahead !== undefined && existsSync(ahead)
      ? await fresh(
          path,
          ahead,
          ((await import(pathToFileURL(ahead).href)) as { signatures?: unknown }).signatures,
        )
      : await signatureFile(path);
  return toolsOf((await import(pathToFileURL(path).href)) as Record<string, unknown>, signatures, options);
}

/** `tools.ts` has `tools.schema.ts` beside it, and `tools.js` has `tools.schema.js`. */
export function aheadFileOf(path: string): string | undefined {
  const ending = /\.[cm]?[jt]s$/.exec(path)?.[0];
  return ending === undefined ? undefined : `${path.slice(0, -ending.length)}.schema${ending}`;
}

/**
 * What was read ahead, if it still holds. Sources that are as they were need no second look; where they changed the
 * compiler is asked, since most changes are not of a signature. Compiled JavaScript has no sources to compare:
 * there `toolsOf` looks whether the functions are still the same.
 */
async function fresh(path: string, ahead: string, stored: unknown): Promise<SignatureFile> {
  const file = readSignatureFile(stored);
  if (!/\.[cm]?ts$/.test(path)) return file;
  const { changedSources } = await import('../../base/signature/source-hash.ts');
  const changed = changedSources(path, file.sources);
  if (changed.length === 0 || (await stillHolds(path, file))) return file;
  throw new WhetstoneError(
    'signatures_stale',
    `${ahead} no longer says what ${changed.join(', ')} ${changed.length === 1 ? 'says' : 'say'}. Run \`whet schema ${path}\` again.`,
    { details: { file: ahead, changed } },
  );
}

async function stillHolds(path: string, file: SignatureFile): Promise<boolean> {
  try {
    const now = await signatureFile(path);
    return jsonEqual(now.signatures as unknown as JsonValue, file.signatures as unknown as JsonValue);
  } catch (error) {
    if (isWhetstoneError(error) && error.code === 'compiler_missing') return false;
    throw error;
  }
}

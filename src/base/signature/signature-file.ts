import { WhetstoneError } from '../host/errors.ts';
import { isJsonObject } from '../json/value.ts';
import type { ReadSignaturesOptions } from './read-signatures.ts';
import type { StoredSignature } from './signature.ts';

/** Signatures that were read ahead of time: plain data, to be checked in and used without the compiler. */
export interface SignatureFile {
  readonly version: 1;
  /** The SHA-256 of each file they were read from, by its path from the folder of the tools. */
  readonly sources: Readonly<Record<string, string>>;
  readonly signatures: readonly StoredSignature[];
}

/** Reads the signatures of a TypeScript file into data that can be kept. Needs the compiler. */
export async function signatureFile(
  file: string | URL,
  options: ReadSignaturesOptions = {},
): Promise<SignatureFile> {
  const { signaturesOfFile } = await import('./signatures-of-file.ts');
  const { hashSources } = await import('./source-hash.ts');
  const { signatures, sources } = await signaturesOfFile(file, options);
  return {
    version: 1,
    sources: hashSources(file, sources),
    signatures: signatures.map(({ file: _file, line: _line, ...stored }) => stored),
  };
}

/** The text of `tools.schema.ts`: a module that every tool chain takes. */
export function printSignatureFile(file: SignatureFile, toolsName: string): string {
  return [
    `// Written by \`whet schema ${toolsName}\`: do not edit, write it again when ${toolsName} changes.`,
    `export const signatures = ${JSON.stringify(file, undefined, 2)} as const;`,
    '',
  ].join('\n');
}

/** Checks what claims to be such data, as it comes from a module or a file. */
export function readSignatureFile(value: unknown): SignatureFile {
  const isRight =
    isJsonObject(value) &&
    value['version'] === 1 &&
    isJsonObject(value['sources']) &&
    Array.isArray(value['signatures']) &&
    value['signatures'].every(
      (each) =>
        isJsonObject(each) &&
        typeof each['name'] === 'string' &&
        typeof each['description'] === 'string' &&
        typeof each['exportName'] === 'string' &&
        isJsonObject(each['input']) &&
        Array.isArray(each['parameters']) &&
        (typeof each['length'] === 'number' || each['length'] === null) &&
        Array.isArray(each['dates']),
    );
  if (isRight) return value as unknown as SignatureFile;
  throw new WhetstoneError(
    'signatures_invalid',
    'This is not a file of signatures of version 1. Pass what `whet schema tools.ts` wrote: `import { signatures } from "./tools.schema.ts"`.',
  );
}

import type { Refusal, ToolSignature } from './signature.ts';

export interface ReadSignaturesOptions {
  /** Only these, by name. */
  readonly only?: readonly string[];
  /** Hears of each refusal, and its function is left out. Without it, one refusal refuses the file. */
  readonly onRefusal?: (refusal: Refusal) => void;
}

/**
 * The exported functions of a TypeScript file, and the methods of its exported classes, each as a tool: name,
 * description, parameters and the JSON Schema of its input. What JSON Schema cannot say is refused, with file, line
 * and reason. Needs the compiler (`typescript` 7).
 *
 * @example const tools = await readSignatures(import.meta.resolve('./tools.ts'));
 */
export async function readSignatures(
  file: string | URL,
  options: ReadSignaturesOptions = {},
): Promise<readonly ToolSignature[]> {
  const { signaturesOfFile } = await import('./signatures-of-file.ts');
  return (await signaturesOfFile(file, options)).signatures;
}

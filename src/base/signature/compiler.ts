import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as Ast from 'typescript/unstable/ast';
import type * as Api from 'typescript/unstable/sync';

import { WhetstoneError } from '../host/errors.ts';

export type {
  JSDocTagInfo,
  NodeHandle,
  Signature,
  Symbol as TypeSymbol,
  Type,
} from 'typescript/unstable/sync';
export type { Node, SourceFile } from 'typescript/unstable/ast';

/** A file as the compiler sees it. The only door to the compiler, which is an optional peer. */
export interface OpenFile {
  readonly file: Ast.SourceFile;
  readonly project: Api.Project;
  readonly checker: Api.Checker;
  readonly api: typeof Api;
  readonly ast: typeof Ast;
  /** The files that what was read so far is declared in. */
  readonly touched: Set<string>;
  close(): void;
}

/** Opens a TypeScript file with the settings of its project, or the compiler's own where it has none. */
export async function openFile(path: string): Promise<OpenFile> {
  if (!existsSync(path)) {
    throw new WhetstoneError('signature_file', `There is no file ${path} to read signatures from.`, {
      details: { file: path },
    });
  }
  const { api, ast } = await loadCompiler();
  const compiler = new api.API({ cwd: dirname(path) });
  const close = (snapshot?: Api.Snapshot): void => {
    snapshot?.dispose();
    end(compiler);
  };
  let snapshot: Api.Snapshot | undefined;
  try {
    snapshot = openSnapshot(compiler, path);
    const project = snapshot.getDefaultProjectForFile(path);
    const file = project?.program.getSourceFile(path);
    if (project === undefined || file === undefined) {
      throw new WhetstoneError('signature_file', `The compiler does not take ${path} as TypeScript.`, {
        details: { file: path },
      });
    }
    const [wrong] = project.program.getSyntacticDiagnostics(path);
    if (wrong !== undefined) {
      const line = file.text.slice(0, wrong.pos).split('\n').length;
      throw new WhetstoneError('signature_file', `${path}:${line} is not TypeScript: ${wrong.text}`, {
        details: { file: path, line },
      });
    }
    const { checker } = project;
    return { file, project, checker, api, ast, touched: new Set([file.path]), close: () => close(snapshot) };
  } catch (error) {
    close(snapshot);
    throw error;
  }
}

/**
 * Ends the compiler's process. Asked to end, one time in four it says "context canceled" on our standard error; it
 * keeps nothing that would have to be put away, so it is not asked. Its snapshots are gone by then: disposing of one
 * is a request.
 */
function end(compiler: Api.API): void {
  const { client } = compiler as unknown as {
    readonly client?: { readonly channel?: { readonly child?: { kill(signal: 'SIGKILL'): boolean } } };
  };
  client?.channel?.child?.kill('SIGKILL');
  compiler.close();
}

/** What TypeScript 7.0 calls `updateSnapshot` is `createSnapshot` from 7.1 on. */
function openSnapshot(compiler: Api.API, path: string): Api.Snapshot {
  const { createSnapshot = compiler.updateSnapshot } = compiler as Api.API & {
    readonly createSnapshot?: Api.API['updateSnapshot'];
  };
  return createSnapshot.call(compiler, { openFiles: [path] });
}

/** TypeScript 7.0 calls its API unstable, 7.1 does not; both answer alike. */
async function loadCompiler(): Promise<{ readonly api: typeof Api; readonly ast: typeof Ast }> {
  let cause: unknown;
  for (const prefix of ['typescript/unstable', 'typescript']) {
    try {
      const api = (await import(`${prefix}/sync`)) as typeof Api;
      return { api, ast: (await import(`${prefix}/ast`)) as typeof Ast };
    } catch (error) {
      cause ??= error;
    }
  }
  throw new WhetstoneError(
    'compiler_missing',
    'Reading signatures needs the TypeScript compiler, version 7: npm install typescript@7, or read them ahead of time.',
    { cause },
  );
}

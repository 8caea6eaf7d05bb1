import { WhetstoneError } from '../host/errors.ts';
import type { JsonObject } from '../json/value.ts';
import {
  type Node,
  type OpenFile,
  type Signature,
  type Type,
  type TypeSymbol,
  openFile,
} from './compiler.ts';
import { type Doc, docOf } from './doc.ts';
import { takeDates } from './dates.ts';
import { parameterDocs } from './parameter-docs.ts';
import { contextFile, readParameters } from './parameters.ts';
import type { ReadSignaturesOptions } from './read-signatures.ts';
import { Refusals, declarationOf, placeOf } from './signature-error.ts';
import type { Refusal, ToolSignature } from './signature.ts';
import { pathOf } from './source-hash.ts';
import { TypeWriter } from './type-schema.ts';

/** The work of `readSignatures`, in a file of its own that is loaded when it is asked for. */
export async function signaturesOfFile(
  file: string | URL,
  options: ReadSignaturesOptions,
): Promise<FileSignatures> {
  const open = await openFile(pathOf(file));
  try {
    const settings = open.project.compilerOptions;
    const refusals: Refusal[] = [];
    if (!(settings.strictNullChecks ?? settings.strict ?? true)) {
      refusals.push({ tool: '', ...placeOf(undefined, open), path: '', reason: noNulls });
    }
    const signatures: ToolSignature[] = [];
    for (const candidate of candidatesOf(open)) {
      if (options.only !== undefined && !options.only.includes(candidate.name)) continue;
      const found = new Refusals(candidate.name, open);
      const signature = readCandidate(candidate, open, found);
      if (found.all.length === 0 && signature !== undefined) signatures.push(signature);
      refusals.push(...found.all);
    }
    if (options.onRefusal !== undefined) refusals.forEach(options.onRefusal);
    else if (refusals.length > 0) throw refused(refusals);
    return { signatures, sources: sourcesOf(open) };
  } finally {
    open.close();
  }
}

/** The signatures of a file, and the files of the project that they were read from. */
export interface FileSignatures {
  readonly signatures: readonly ToolSignature[];
  readonly sources: readonly string[];
}

/** Neither the language nor packages: they change with their version, which is seen elsewhere. */
function sourcesOf(open: OpenFile): readonly string[] {
  const own = [...open.touched].filter((path) => {
    const metadata = open.project.program.getSourceFileMetadataByPath(path as never);
    if (contextFile.test(path) || toolClassFile.test(path)) return false;
    return metadata !== undefined && !metadata.isDefaultLibrary && !metadata.isFromExternalLibrary;
  });
  return own.map((path) => open.project.program.getSourceFile(path)?.fileName ?? path).sort();
}

const noNulls = 'its project has strictNullChecks off, so no type says whether null may come: turn it on';

/** A function that may be a tool. */
interface Candidate {
  readonly name: string;
  readonly exportName: string;
  readonly symbol: TypeSymbol;
  readonly className?: string;
  readonly life?: readonly ('start' | 'stop')[];
}

function candidatesOf(open: OpenFile): readonly Candidate[] {
  const { checker, api } = open;
  const module = checker.getSymbolAtLocation(open.file);
  if (module === undefined) return [];
  const candidates: Candidate[] = [];
  for (const exported of checker.getExportsOfModule(module)) {
    const isAlias = (exported.flags & api.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
    const exportName = exported.name;
    if (isHidden(docOf(symbol, open))) continue;
    if (symbol.flags & api.SymbolFlags.Class) {
      candidates.push(...methodsOf(symbol, exportName, open));
    } else if (
      symbol.flags &
      (api.SymbolFlags.Function | api.SymbolFlags.Variable | api.SymbolFlags.Property)
    ) {
      if (callSignatures(symbol, open).length === 0) continue;
      const name = exportName === 'default' ? (ownName(symbol, open) ?? 'default') : exportName;
      candidates.push({ name, exportName, symbol });
    }
  }
  return candidates;
}

function methodsOf(symbol: TypeSymbol, exportName: string, open: OpenFile): readonly Candidate[] {
  const { checker, api } = open;
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  // Such a class is a tool already, and its methods are the contract of one.
  if (extendsTool(type)) return [];
  const className = ownName(symbol, open) ?? exportName;
  const methods = checker.getPropertiesOfType(type).filter((member) => {
    const isPublic = !/^(_|#|__@)/.test(member.name) && !isPrivate(member, open);
    return isPublic && (member.flags & api.SymbolFlags.Method) !== 0;
  });
  const life = lifeOf(methods, open);
  return methods.flatMap((member) => {
    const { name } = member;
    if (isHidden(docOf(member, open)) || life.some((each) => each === name)) return [];
    return [{ name, exportName, symbol: member, className, ...(life.length > 0 && { life }) }];
  });
}

/** `start` and `stop` without parameters are called for the object, as for any tool; `@tool` makes a tool of one. */
function lifeOf(methods: readonly TypeSymbol[], open: OpenFile): readonly ('start' | 'stop')[] {
  return (['start', 'stop'] as const).filter((name) => {
    const method = methods.find((member) => member.name === name);
    if (method === undefined || docOf(method, open).tags.some((tag) => tag.name === 'tool')) return false;
    return callSignatures(method, open).every((signature) => signature.getParameters().length === 0);
  });
}

function extendsTool(type: Type): boolean {
  return (type.getBaseTypes() ?? []).some((base) => {
    const symbol = base.getSymbol();
    const file = symbol?.declarations[0]?.path ?? '';
    return (symbol?.name === 'Tool' && toolClassFile.test(file)) || extendsTool(base);
  });
}

/** Where `Tool` is declared, in our source and in the package as it is published. */
const toolClassFile = /\/run\/tool\/tool-class\.(d\.)?ts$/;

function readCandidate(candidate: Candidate, open: OpenFile, refusals: Refusals): ToolSignature | undefined {
  const { symbol, name, exportName, className, life } = candidate;
  const node = declarationOf(symbol, open);
  const spot = { node, path: '' };
  if (name === 'default') refusals.add(spot, 'the default export has no name: give the function one');
  const [signature, ...more] = callSignatures(symbol, open);
  if (signature === undefined) return undefined;
  if (more.length > 0) {
    refusals.add(spot, `it has ${more.length + 1} signatures: a tool has one`);
    return undefined;
  }
  const own = className === undefined ? signature.getThisParameter() : undefined;
  if (own !== undefined && !isNothing(open.checker.getTypeOfSymbol(own), open)) {
    refusals.add(spot, 'it needs a `this` of its own, but a tool is called without one');
  }
  const doc = docOf(symbol, open);
  const docs = parameterDocs(doc, signature, open, (reason) => refusals.add(spot, reason));
  const writer = new TypeWriter(open, refusals);
  const { parameters, length, shape } = readParameters(signature, docs, writer, open, refusals, spot);
  const definitions = Object.entries(writer.definitions);
  const { schema, dates } = takeDates({
    type: 'object',
    ...shape,
    ...(definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : undefined),
  } satisfies JsonObject);
  const { file, line } = placeOf(node, open);
  return {
    name,
    description: doc.text,
    input: schema,
    parameters,
    length: isWrittenOut(symbol, open) ? length : null,
    dates,
    exportName,
    ...(className === undefined ? undefined : { className }),
    ...(life === undefined ? undefined : { life }),
    file,
    line,
  };
}

function isNothing(type: Type | undefined, open: OpenFile): boolean {
  const { TypeFlags } = open.api;
  return (
    type === undefined ||
    (type.flags & (TypeFlags.Void | TypeFlags.Undefined | TypeFlags.Any | TypeFlags.Unknown)) !== 0
  );
}

function callSignatures(symbol: TypeSymbol, open: OpenFile): readonly Signature[] {
  const type: Type | undefined = open.checker.getTypeOfSymbol(symbol);
  return type === undefined ? [] : open.checker.getSignaturesOfType(type, open.api.SignatureKind.Call);
}

/** Whether this is the function itself, and not something that makes or only describes it. */
function isWrittenOut(symbol: TypeSymbol, open: OpenFile): boolean {
  const { SyntaxKind } = open.ast;
  const node = declarationOf(symbol, open) as
    | (Node & { readonly initializer?: Node; readonly expression?: Node; readonly type?: Node })
    | undefined;
  // With a type next to the name, the signature is that of the type.
  if (node?.initializer !== undefined && node.type !== undefined) return false;
  const kind = (node?.initializer ?? node?.expression ?? node)?.kind;
  return (
    kind === SyntaxKind.FunctionDeclaration ||
    kind === SyntaxKind.MethodDeclaration ||
    kind === SyntaxKind.ArrowFunction ||
    kind === SyntaxKind.FunctionExpression
  );
}

function isHidden(doc: Doc): boolean {
  return doc.tags.some((tag) => ['internal', 'hidden', 'ignore', 'private'].includes(tag.name));
}

function isPrivate(member: TypeSymbol, open: OpenFile): boolean {
  const { SyntaxKind } = open.ast;
  const node = declarationOf(member, open) as (Node & { readonly modifiers?: readonly Node[] }) | undefined;
  const kinds = [...(node?.modifiers ?? [])].map((modifier) => modifier.kind);
  return kinds.includes(SyntaxKind.PrivateKeyword) || kinds.includes(SyntaxKind.ProtectedKeyword);
}

/** The name in the declaration itself, where it has one. */
function ownName(symbol: TypeSymbol, open: OpenFile): string | undefined {
  const node = declarationOf(symbol, open) as
    | (Node & { readonly name?: { readonly text?: string } })
    | undefined;
  return node?.name?.text;
}

function refused(refusals: readonly Refusal[]): WhetstoneError {
  const lines = refusals.map(({ tool, file, line, column, path, reason }) => {
    const what = path === '' ? tool : `${tool}(${path})`;
    return `${file}:${line}:${column} ${what}: ${reason}`;
  });
  const count = new Set(refusals.map(({ tool }) => tool)).size;
  return new WhetstoneError(
    'signature_refused',
    `${count === 1 ? 'A function' : `${count} functions`} cannot be a tool:\n${lines.join('\n')}`,
    { details: { refusals } },
  );
}

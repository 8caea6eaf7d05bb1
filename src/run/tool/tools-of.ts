import { isWhetstoneError, WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { callArguments } from '../../base/signature/call-arguments.ts';
import { readSignatureFile } from '../../base/signature/signature-file.ts';
import type { StoredSignature } from '../../base/signature/signature.ts';
import type { AnyTool, Context } from './contract.ts';
import { tool } from './define-tool.ts';
import { Failure, invalidArgument } from './failure.ts';
import { sharedLife } from './lifecycle.ts';
import { Tool } from './tool-class.ts';

export interface ToolsOfOptions {
  /** Only these, by name. */
  readonly only?: readonly string[];
  /** How single tools want to be run, by name: `{ remove: { approval: 'always' } }`. */
  readonly settings?: Readonly<Record<string, Partial<Omit<AnyTool, 'name' | 'input' | 'text' | 'run'>>>>;
  /** Objects for exported classes, by class name; the others are made without arguments. */
  readonly instances?: Readonly<Record<string, object>>;
}

/**
 * The functions of a module as tools, with signatures that were read ahead of time: neither the compiler nor a file
 * is needed. Tools that the module makes itself (with `tool`, or from a class of its own) come along.
 *
 * @example
 * import * as source from './tools.ts';
 * import { signatures } from './tools.schema.ts';   // `whet schema tools.ts` writes it
 * const tools = toolsOf(source, signatures);
 */
export function toolsOf(
  module: Readonly<Record<string, unknown>>,
  signatures: unknown,
  options: ToolsOfOptions = {},
): readonly AnyTool[] {
  const { signatures: stored } = readSignatureFile(signatures);
  const instances = new Map<string, object>(Object.entries(options.instances ?? {}));
  const made = stored.map((signature) => toolOf(signature, module, instances, options));
  const own = Object.values(module).flatMap((exported) => ownTools(exported, instances));
  const all = [...made, ...own.map((each) => withSettings(each, options))];
  const { only } = options;
  return only === undefined ? all : all.filter(({ name }) => only.includes(name));
}

function toolOf(
  signature: StoredSignature,
  module: Readonly<Record<string, unknown>>,
  instances: Map<string, object>,
  options: ToolsOfOptions,
): AnyTool {
  const { name, className } = signature;
  const exported = module[signature.exportName];
  const instance =
    className === undefined ? undefined : instanceOf(className, exported, instances, signature);
  const method = instance === undefined ? exported : (instance as Readonly<Record<string, unknown>>)[name];
  if (typeof method !== 'function') throw stale(signature, 'there is no such function');
  if (signature.length !== null && method.length !== signature.length) {
    throw stale(signature, `it takes ${method.length} arguments and took ${signature.length}`);
  }
  return tool({
    name,
    description: signature.description,
    input: signature.input,
    run: (input: JsonObject, context: Context): unknown => {
      const given = argumentsOf(signature, input, context);
      return given instanceof Failure ? given : (method.apply(instance, given) as unknown);
    },
    ...(instance && sharedLife(instance, signature.life ?? [])),
    ...options.settings?.[name],
  } as never) as AnyTool;
}

/** What the function is called with; or what of it is not a date, in words for the model. */
function argumentsOf(signature: StoredSignature, input: JsonObject, context: Context): unknown[] | Failure {
  try {
    return callArguments(signature, input, { context, signal: context.signal });
  } catch (error) {
    if (!isWhetstoneError(error) || error.code !== 'arguments_invalid') throw error;
    return invalidArgument(String(error.details['place']), String(error.details['expected']));
  }
}

/** One object for all methods of a class. */
function instanceOf(
  className: string,
  exported: unknown,
  instances: Map<string, object>,
  signature: StoredSignature,
): object {
  if (typeof exported !== 'function' && !instances.has(className)) {
    throw stale(signature, `there is no class ${className}`);
  }
  return madeOf(className, exported as () => void, instances);
}

function madeOf(
  className: string,
  made: { readonly length: number },
  instances: Map<string, object>,
): object {
  const known = instances.get(className);
  if (known !== undefined) return known;
  if (made.length > 0) {
    throw new WhetstoneError(
      'instance_missing',
      `The constructor of ${className} needs ${made.length} arguments. Construct it yourself and pass it: { instances: { ${className}: … } }.`,
      { details: { className } },
    );
  }
  const instance = new (made as unknown as new () => object)();
  instances.set(className, instance);
  return instance;
}

/** What the module made itself: a tool as it is, a class of tools as its one object. */
function ownTools(exported: unknown, instances: Map<string, object>): readonly AnyTool[] {
  if (isTool(exported)) return [exported];
  if (typeof exported !== 'function' || !(exported.prototype instanceof Tool)) return [];
  return [madeOf(exported.name, exported, instances) as AnyTool];
}

function isTool(value: unknown): value is AnyTool {
  if (typeof value !== 'object' || value === null) return false;
  const { name, description, input, text } = value as Partial<AnyTool>;
  return (
    typeof name === 'string' && typeof description === 'string' && (input !== undefined || text !== undefined)
  );
}

function withSettings(own: AnyTool, options: ToolsOfOptions): AnyTool {
  const settings = options.settings?.[own.name];
  // What it inherits from its class stays in reach.
  return settings === undefined
    ? own
    : (Object.assign(Object.create(own) as AnyTool, settings) satisfies AnyTool);
}

function stale({ name, className }: StoredSignature, what: string): WhetstoneError {
  const called = className === undefined ? name : `${className}.${name}`;
  return new WhetstoneError(
    'signatures_stale',
    `The signature of ${called} is not that of the function: ${what}. Run \`whet schema\` again.`,
    { details: { name, className } },
  );
}

import { WhetstoneError } from '../../host/errors.ts';
import type { Definition, Node } from '../ir/ir.ts';
import { joinLimits } from '../ir/limits.ts';
import { annotate } from './annotate.ts';
import type { WriteContext, Writer } from './write-context.ts';

/** A reference, where the dialect has them; else what it points to, in its place. */
export const writeReference: Writer<'reference'> = (context, node, { to }) => {
  const target = lastOf(context, to, node.path);
  const recursive = context.recursion.isRecursive(target);
  if (recursive) allowRecursion(context, target, node.path);
  const isBare = Object.keys(node.notes).length === 0 && node.limits.length === 0;
  if (!recursive && (context.features.references === 'none' || !isBare)) {
    const read = target.read();
    return context.write({
      ...read,
      notes: { ...read.notes, ...node.notes },
      limits: joinLimits(read.limits, node.limits),
    });
  }
  const name = define(context, target);
  const wire = annotate(context, { $ref: `#/$defs/${name}` }, node);
  return { wire, step: { op: 'reference', to: name } };
};

/** The node behind a chain of references, with what each of them says. */
export function followed(context: WriteContext, node: Node): Node {
  let at = node;
  while (at.form.kind === 'reference') {
    const read = lastOf(context, at.form.to, at.path).read();
    at = { ...read, notes: { ...read.notes, ...at.notes }, limits: [...read.limits, ...at.limits] };
  }
  return at;
}

/** A member through which a definition reaches itself must be optional, where the provider unrolls recursion. */
export function mustBeOptional(context: WriteContext, node: Node, name: string, path: string): boolean {
  const { features, inside, recursion, dropped } = context;
  if (features.references !== 'optional-cyclic' || !inside || !recursion.leadsBack(node, inside))
    return false;
  dropped.push({ path, keyword: 'required', value: [name], said: 'nowhere' });
  return true;
}

function allowRecursion(context: WriteContext, target: Definition, path: string): void {
  const { references } = context.features;
  if (references === 'acyclic') context.decline(path, 'recursive', `"${target.name}" contains itself`);
  else if (
    references === 'none' ||
    (references === 'optional-cyclic' && context.recursion.isUnbroken(target))
  ) {
    const kind = references === 'none' ? '' : ' whose recursion passes no property';
    const text = `a recursive schema${kind}: "${target.name}" at ${path || 'the root'} contains itself`;
    throw context.refused(path, 'recursive', text, { name: target.name });
  }
}

function define(context: WriteContext, target: Definition): string {
  const { names, definitions, inside } = context;
  const known = names.get(target);
  if (known !== undefined) return known;
  let name = target.name;
  for (let number = 2; definitions.has(name); number++) name = `${target.name}_${number}`;
  names.set(target, name);
  definitions.set(name, { wire: {}, step: undefined });
  context.inside = target;
  definitions.set(name, context.write(target.read()));
  context.inside = inside;
  return name;
}

/** The end of a chain of definitions that only point on. */
function lastOf({ recursion }: WriteContext, to: Definition, path: string): Definition {
  if (recursion.isEndless(to))
    throw new WhetstoneError(
      'schema_invalid',
      `This is not a JSON Schema: at ${path || 'the root'}, "${to.name}" leads back to itself with nothing between.`,
      { details: { path, reason: 'it leads back to itself', value: to.name } },
    );
  let target = to;
  for (let node = to.read(); node.form.kind === 'reference'; node = target.read()) {
    if (Object.keys(node.notes).length + node.limits.length > 0) break;
    target = node.form.to;
  }
  return target;
}

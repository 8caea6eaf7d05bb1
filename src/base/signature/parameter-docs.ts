import type { OpenFile, Signature } from './compiler.ts';
import type { Doc, Tag } from './doc.ts';
import { isKeywordTag } from './tag-keywords.ts';

/** What the comment of a function says of its parameters: `date`, or `options.retry` for a property of one. */
export type ParameterDocs = ReadonlyMap<string, Doc>;

/**
 * Reads `@param` tags. A tag such as `@minimum` belongs to the `@param` before it, to the parameter that it names
 * (`@minimum count 1`), or to the only parameter there is. A tag that speaks of nothing is refused.
 */
export function parameterDocs(
  doc: Doc,
  signature: Signature,
  open: OpenFile,
  refuse: (reason: string) => void,
): ParameterDocs {
  const parameters = signature.getParameters();
  const names = parameters.map(({ name }) => name);
  // A parameter that is taken apart has no name of its own; its comment may call it anything.
  const apart = parameters.some((parameter) =>
    takenApartAs(parameter.valueDeclaration?.resolve(open.project), open),
  );
  const docs = new Map<string, { text: string; tags: Tag[] }>();
  const docFor = (name: string): { text: string; tags: Tag[] } => {
    const known = docs.get(name) ?? { text: '', tags: [] };
    docs.set(name, known);
    return known;
  };
  let current: string | undefined;
  for (const tag of doc.tags) {
    if (tag.name === 'param' || tag.name === 'arg' || tag.name === 'argument') {
      const { name, text } = readParam(tag.text);
      const [root = ''] = name.split('.');
      if (!names.includes(root) && !apart) {
        refuse(`@param ${name} names no parameter; there is ${names.join(', ') || 'none'}`);
        continue;
      }
      docFor(name).text = text;
      current = name;
    } else if (isKeywordTag(tag) && !unspecific.has(tag.name)) {
      const [first = '', ...rest] = tag.text.split(/\s+/);
      const named = names.includes(first.split('.')[0] ?? '') && rest.length > 0;
      const target = named ? first : (current ?? (names.length === 1 ? names[0] : undefined));
      if (target === undefined) refuse(`@${tag.name} ${tag.text} does not say which parameter it means`);
      else docFor(target).tags.push(named ? { name: tag.name, text: rest.join(' ') } : tag);
    }
  }
  return docs;
}

/** Of a function, these speak about the whole function. */
const unspecific = new Set(['example', 'examples', 'deprecated', 'title', 'type']);

function readParam(text: string): { readonly name: string; readonly text: string } {
  const [, name = '', rest = ''] =
    /^(?:\{[^}]*\}\s*)?\[?([\w$.[\]]+?)\]?(?:=[^\]\s]*\])?(?:\s+-?\s*([\s\S]*))?$/.exec(text) ?? [];
  return { name: name.replaceAll('[]', ''), text: rest.trim() };
}

/** `f({ city })` or `f([x, y])`: what kind of value the parameter is taken apart as. */
export function takenApartAs(node: unknown, open: OpenFile): 'object' | 'array' | false {
  const { SyntaxKind } = open.ast;
  const kind = (node as { readonly name?: { readonly kind: number } } | undefined)?.name?.kind;
  if (kind === SyntaxKind.ObjectBindingPattern) return 'object';
  return kind === SyntaxKind.ArrayBindingPattern ? 'array' : false;
}

import type { JSDocTagInfo, Node, OpenFile, TypeSymbol } from './compiler.ts';
import { fileOf, startOf } from './signature-error.ts';

/** What the comment above something says. */
export interface Doc {
  readonly text: string;
  readonly tags: readonly Tag[];
}

export interface Tag {
  readonly name: string;
  readonly text: string;
}

/** The comment of a function, a class, a property. */
export function docOf(symbol: TypeSymbol, open: OpenFile): Doc {
  const text = open.checker.getDocumentationCommentOfSymbol(symbol).trim();
  const tags = open.checker.getJsDocTagsOfSymbol(symbol).map(tagOf);
  if (text !== '' || tags.length > 0) return { text, tags };
  const declaration = (symbol.valueDeclaration ?? symbol.declarations[0])?.resolve(open.project);
  return declaration === undefined ? { text: '', tags: [] } : commentBefore(declaration);
}

/**
 * A comment on the line of the thing itself, behind an opening brace or another member: the compiler counts it to
 * what comes before.
 */
function commentBefore(node: Node): Doc {
  const file = fileOf(node);
  if (file === undefined) return { text: '', tags: [] };
  const trivia = file.text.slice(node.pos, startOf(node, file.text));
  const comment = [...trivia.matchAll(/\/\*\*([\s\S]*?)\*\//g)].at(-1)?.[1];
  return comment === undefined ? { text: '', tags: [] } : readComment(comment);
}

/** Splits a comment's inside into its text and its tags. */
function readComment(comment: string): Doc {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, ''));
  const [text = '', ...tags] = lines.join('\n').split(/(?:^|\s)@(?=[a-zA-Z])/);
  return {
    text: text.trim(),
    tags: tags.map((tag) => {
      const name = /^\w+/.exec(tag)?.[0] ?? '';
      return { name, text: tag.slice(name.length).trim() };
    }),
  };
}

function tagOf(tag: JSDocTagInfo): Tag {
  return { name: tag.name, text: (tag.text ?? '').trim() };
}

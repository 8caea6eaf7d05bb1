import type { OpenFile, Type } from './compiler.ts';

/** A template literal type as a pattern; undefined where one of its holes cannot be said. */
export function templatePattern(
  type: Type & { readonly texts: readonly string[]; getTypes(): readonly Type[] },
  open: OpenFile,
): string | undefined {
  const holes = type.getTypes().map((hole) => holePattern(hole, open));
  if (holes.includes(undefined)) return undefined;
  const parts = type.texts.map((text, index) => escape(text) + (holes[index] ?? ''));
  return `^${parts.join('')}$`;
}

function holePattern(type: Type, open: OpenFile): string | undefined {
  const { TypeFlags } = open.api;
  if (type.flags & TypeFlags.String) return '[\\s\\S]*';
  if (type.flags & TypeFlags.Number) return '-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
  if (type.flags & TypeFlags.BigInt) return '-?\\d+';
  if (type.flags & TypeFlags.Boolean) return '(?:true|false)';
  if (type.isLiteralType() && !type.isUnionType()) return escape(String(type.value));
  if (!type.isUnionType()) return undefined;
  const parts = type.getTypes().map((member) => holePattern(member, open));
  return parts.includes(undefined) ? undefined : `(?:${parts.join('|')})`;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

import type { JsonValue } from '../json/value.ts';
import type { Node, OpenFile } from './compiler.ts';

/** The JSON that an expression writes down; undefined for everything that must be run to be known. */
export function literalValue(node: Node, open: OpenFile): JsonValue | undefined {
  const { SyntaxKind } = open.ast;
  const inner = node as unknown as {
    readonly text: string;
    readonly operator: number;
    readonly operand: Node;
    readonly elements: readonly Node[];
    readonly properties: readonly (Node & {
      readonly name: Node & { readonly text?: string };
      readonly initializer?: Node;
    })[];
    readonly expression: Node;
  };
  switch (node.kind) {
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      return inner.text;
    case SyntaxKind.NumericLiteral:
      return Number(inner.text.replaceAll('_', ''));
    case SyntaxKind.TrueKeyword:
      return true;
    case SyntaxKind.FalseKeyword:
      return false;
    case SyntaxKind.NullKeyword:
      return null;
    case SyntaxKind.PrefixUnaryExpression: {
      const operand = literalValue(inner.operand, open);
      return typeof operand === 'number' && inner.operator === SyntaxKind.MinusToken ? -operand : undefined;
    }
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.AsExpression:
    case SyntaxKind.SatisfiesExpression:
      return literalValue(inner.expression, open);
    case SyntaxKind.ArrayLiteralExpression: {
      const items = [...inner.elements].map((item) => literalValue(item, open));
      return items.includes(undefined) ? undefined : (items as JsonValue[]);
    }
    case SyntaxKind.ObjectLiteralExpression: {
      const entries: [string, JsonValue][] = [];
      for (const property of inner.properties) {
        const value = property.initializer && literalValue(property.initializer, open);
        if (property.kind !== SyntaxKind.PropertyAssignment || value === undefined || !property.name.text)
          return undefined;
        entries.push([property.name.text, value]);
      }
      return Object.fromEntries(entries);
    }
    case SyntaxKind.PropertyAccessExpression:
      return enumMember(node, open);
    default:
      return undefined;
  }
}

/** A member of an enum is known without running anything. */
function enumMember(node: Node, open: OpenFile): JsonValue | undefined {
  const type = open.checker.getTypeAtLocation(node);
  if (type === undefined || !(type.flags & open.api.TypeFlags.EnumLiteral) || !type.isLiteralType())
    return undefined;
  return type.value as string | number;
}

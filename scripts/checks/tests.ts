import { Visitor } from 'oxc-parser';

import { isTest, type Check, type Tree } from './tree.ts';

/** No test is left alone or left out without a reason that is printed. */
export const tests: Check = {
  name: 'tests',
  run(tree) {
    const files = tree.files.filter(
      (file) => isTest(file) && /^(src|test|viewer|scripts|bench|examples)\//.test(file),
    );
    return { read: files.length, faults: files.flatMap((file) => faultsOf(tree, file)) };
  },
};

const runners = new Set(['test', 'it', 'describe', 'suite']);

function faultsOf(tree: Tree, file: string): string[] {
  const faults: string[] = [];
  const report = (what: string, offset: number): void =>
    void faults.push(`${file}:${tree.lineOf(file, offset)} ${what}`);
  new Visitor({
    CallExpression(node) {
      const { callee } = node;
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
        const on = callee.object.type === 'Identifier' ? callee.object.name : '';
        const { name } = callee.property;
        if (runners.has(on) && (name === 'only' || name === 'skip' || name === 'todo')) {
          report(`calls ${on}.${name}: give { ${name}: 'the reason' } instead, or nothing.`, node.start);
        }
        const context = /^(t|context|ctx)$/.test(on);
        if (context && (name === 'skip' || name === 'todo') && node.arguments.length === 0) {
          report(`calls ${on}.${name}() without a reason.`, node.start);
        }
      }
      if (callee.type !== 'Identifier' || !runners.has(callee.name)) return;
      for (const argument of node.arguments) {
        if (argument.type !== 'ObjectExpression') continue;
        for (const property of argument.properties) {
          if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
          const { name } = property.key;
          const { value } = property;
          if (name === 'only') report('runs only this test.', property.start);
          if ((name === 'skip' || name === 'todo') && isBareTrue(value))
            report(`${name} without a reason.`, property.start);
        }
      }
    },
  }).visit(tree.parse(file).program);
  return faults;
}

/** `skip: true`, and `skip: !condition`: a skip that prints no reason. */
function isBareTrue(value: { readonly type: string }): boolean {
  return (
    ('value' in value && value.value === true) ||
    value.type === 'UnaryExpression' ||
    value.type === 'BinaryExpression'
  );
}

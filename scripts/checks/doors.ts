import { Visitor } from 'oxc-parser';

import type { Check, Tree } from './tree.ts';

/** Packages that one file each may import. */
const packageDoors = ['node:sqlite', 'pg', 'playwright-core', 'typescript'];

/** What the world gives, and the one file that takes it. */
const worldDoors: readonly { readonly door: string; readonly what: RegExp }[] = [
  { door: 'src/base/host/fetch.ts', what: /^(fetch\(\)|(globalThis|window|self)\.fetch)$/ },
  { door: 'src/base/host/environment.ts', what: /^(globalThis\.)?process\.env$/ },
  {
    door: 'src/base/host/clock.ts',
    what: /^((globalThis\.)?(Date\.now|performance\.now|AbortSignal\.timeout)|(new )?Date\(\)|set(Timeout|Interval)\(\)|globalThis\.set(Timeout|Interval))$/,
  },
  {
    door: 'src/base/host/random.ts',
    what: /^(globalThis\.)?(Math\.random|crypto\.(randomUUID|getRandomValues|randomBytes|randomInt))$/,
  },
];
const worldModules: Readonly<Record<string, string>> = {
  'node:timers': 'src/base/host/clock.ts',
  'node:timers/promises': 'src/base/host/clock.ts',
  'node:perf_hooks': 'src/base/host/clock.ts',
};
const randomNames = /\b(randomUUID|randomBytes|randomInt|getRandomValues)\b/;

/** One door for each thing that the house takes from outside. */
export const doors: Check = {
  name: 'doors',
  run(tree) {
    const files = tree.sources();
    const faults: string[] = [];
    for (const name of packageDoors) {
      const users = files.filter((file) =>
        tree.imports(file).some(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`)),
      );
      if (users.length > 1)
        faults.push(`${name} has ${users.length} doors instead of one: ${users.join(', ')}`);
    }
    for (const file of files) faults.push(...worldFaults(tree, file));
    return { read: files.length, faults };
  },
};

function worldFaults(tree: Tree, file: string): string[] {
  const faults: string[] = [];
  const report = (what: string, door: string, offset: number): void => {
    if (file !== door)
      faults.push(`${file}:${tree.lineOf(file, offset)} uses ${what}, whose door is ${door}`);
  };
  const see = (what: string, offset: number): void => {
    for (const { door, what: pattern } of worldDoors) if (pattern.test(what)) report(what, door, offset);
  };
  for (const { specifier } of tree.imports(file)) {
    const door = worldModules[specifier];
    if (door) report(specifier, door, 0);
  }
  for (const statement of tree.parse(file).module.staticImports) {
    if (!/^(node:)?crypto$/.test(statement.moduleRequest.value)) continue;
    const names = tree.text(file).slice(statement.start, statement.end);
    if (randomNames.test(names)) report(names, 'src/base/host/random.ts', statement.start);
  }
  // A file that has a `fetch` or `setTimeout` of its own (a parameter, say) does not use the world's.
  const own = new Set<string>();
  const later: (() => void)[] = [];
  new Visitor({
    MemberExpression(node) {
      const path = pathOf(node);
      if (path) see(path, node.start);
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'Identifier') return;
      later.push(() => {
        if (!own.has(callee.name)) see(`${callee.name}()`, node.start);
      });
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
        see('new Date()', node.start);
      }
    },
    Property(node) {
      if (node.value.type === 'Identifier') own.add(node.value.name);
    },
    FunctionDeclaration(node) {
      if (node.id) own.add(node.id.name);
      addParameters(node.params, own);
    },
    FunctionExpression: (node) => addParameters(node.params, own),
    ArrowFunctionExpression: (node) => addParameters(node.params, own),
    VariableDeclarator(node) {
      if (node.id.type === 'Identifier') own.add(node.id.name);
    },
    ImportSpecifier: (node) => void own.add(node.local.name),
  }).visit(tree.parse(file).program);
  for (const look of later) look();
  return faults;
}

function addParameters(parameters: readonly { readonly type: string }[], own: Set<string>): void {
  for (const parameter of parameters) {
    if (parameter.type === 'Identifier' && 'name' in parameter) own.add(String(parameter.name));
  }
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** `Math.random` of a member expression; undefined when it is not a plain path of names. */
function pathOf(node: object): string | undefined {
  const { type, computed, object, property, name } = node as Node;
  if (type === 'Identifier') return String(name);
  if (type !== 'MemberExpression' || computed === true) return undefined;
  const left = pathOf(object as Node);
  return left === undefined ? undefined : `${left}.${String((property as Node)['name'])}`;
}

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';

/** A working tree as the checkers see it: every file read and parsed once. */
export class Tree {
  readonly root: string;
  /** All files that belong to the project, with `/`, sorted. */
  readonly files: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #parsed = new Map<string, ParseResult>();

  constructor(root: string) {
    this.root = root;
    this.files = globSync('**/*', { cwd: root, withFileTypes: true, exclude: isForeign })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''),
      )
      .toSorted();
  }

  text(file: string): string {
    let text = this.#texts.get(file);
    if (text === undefined) this.#texts.set(file, (text = readFileSync(join(this.root, file), 'utf8')));
    return text;
  }

  parse(file: string): ParseResult {
    let parsed = this.#parsed.get(file);
    if (!parsed) this.#parsed.set(file, (parsed = parseSync(file, this.text(file))));
    return parsed;
  }

  has(file: string): boolean {
    return this.files.includes(file);
  }

  /** TypeScript of `src/`; tests only when asked for. */
  sources({ tests = false } = {}): string[] {
    return this.files.filter((file) => /^src\/.*\.ts$/.test(file) && (tests || !isTest(file)));
  }

  /** What a file imports and re-exports, statically or by a literal `import()`. */
  imports(file: string): Import[] {
    const { module } = this.parse(file);
    const found: Import[] = [];
    for (const statement of module.staticImports) {
      const onlyTypes = statement.entries.length > 0 && statement.entries.every((entry) => entry.isType);
      found.push({ specifier: statement.moduleRequest.value, onlyTypes, dynamic: false });
    }
    for (const statement of module.staticExports) {
      const [first] = statement.entries;
      if (!first?.moduleRequest) continue;
      const onlyTypes = statement.entries.every((entry) => entry.isType);
      found.push({ specifier: first.moduleRequest.value, onlyTypes, dynamic: false });
    }
    for (const { moduleRequest } of module.dynamicImports) {
      const written = this.text(file).slice(moduleRequest.start, moduleRequest.end);
      const literal = /^(['"`])([^'"`$]+)\1$/.exec(written);
      if (literal) found.push({ specifier: literal[2]!, onlyTypes: false, dynamic: true });
    }
    // `import('./x.ts').Type` is in types, where the module record does not see it.
    for (const match of this.text(file).matchAll(/(?<!await\s)\bimport\('(\.[^']+)'\)\.[A-Z]/g)) {
      found.push({ specifier: match[1]!, onlyTypes: true, dynamic: false });
    }
    return found;
  }

  /** The same, as files of the tree; imports of packages are left out. */
  localImports(file: string): LocalImport[] {
    return this.imports(file)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map((found) => ({ ...found, target: posix.normalize(posix.join(dirname(file), found.specifier)) }));
  }

  lineOf(file: string, offset: number): number {
    return this.text(file).slice(0, offset).split('\n').length;
  }
}

export interface Import {
  readonly specifier: string;
  readonly onlyTypes: boolean;
  readonly dynamic: boolean;
}

export interface LocalImport extends Import {
  readonly target: string;
}

/** What a checker answers. One that has read nothing has shown nothing, and fails. */
export interface Findings {
  readonly read: number;
  readonly faults: readonly string[];
}

export interface Check {
  readonly name: string;
  readonly run: (tree: Tree) => Findings;
}

export function isTest(file: string): boolean {
  return /\.(test|contract)\.tsx?$/.test(file) || file.split('/').includes('testing');
}

function isForeign(entry: { name: string }): boolean {
  return ['node_modules', '.git', 'dist', '.whetstone'].includes(entry.name);
}

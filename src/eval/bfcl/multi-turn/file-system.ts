import { PythonException, valueError } from '../../python/exception.ts';
import { round, type PythonNumber } from '../../python/number.ts';
import { contains, isGreater, lengthOf, sorted } from '../../python/operate.ts';
import { str } from '../../python/repr.ts';
import { isTrue, type PythonDict, type PythonValue } from '../../python/value.ts';
import { type Api, dict, error, method } from './api.ts';
import { attributeOf, hasKey, splitLines, strippedRight } from './text.ts';

/** Files in folders, one of which one is in. */
export function startFileSystem(initial: PythonDict): Api {
  const [[name, root] = ['/', new Map()]] = (initial.get('root') as PythonDict | undefined) ?? new Map();
  return new FileSystem(loadFolder(String(name), (root as PythonDict).get('contents') as PythonDict));
}

/** A copy of a folder shares its files, so it is the object that counts. */
class File {
  readonly name: string;
  content: PythonValue;

  constructor(name: string, content: PythonValue) {
    this.name = name;
    this.content = content;
  }
}

class Folder {
  readonly name: string;
  readonly parent: Folder | undefined;
  contents = new Map<string, File | Folder>();

  constructor(name: string, parent?: Folder) {
    this.name = name;
    this.parent = parent;
  }

  add(item: File | Folder): void {
    const kind = item instanceof File ? 'File' : 'Directory';
    if (this.contents.has(item.name))
      throw valueError(`${kind} '${item.name}' already exists in directory '${this.name}'.`);
    this.contents.set(item.name, item);
  }
}

function loadFolder(name: string, contents: PythonDict = new Map(), parent?: Folder): Folder {
  const folder = new Folder(name, parent);
  for (const [each, value] of contents) {
    const item = value as PythonDict;
    const isFolder = item.get('type') === 'directory';
    folder.contents.set(
      each,
      isFolder
        ? loadFolder(each, item.get('contents') as PythonDict, folder)
        : new File(each, item.get('content') ?? ''),
    );
  }
  return folder;
}

function stateOf(item: File | Folder): PythonDict {
  if (item instanceof File) return dict({ name: item.name, content: item.content });
  const contents: PythonDict = new Map([...item.contents].map(([name, each]) => [name, stateOf(each)]));
  return dict({ name: item.name, contents });
}

class FileSystem implements Api {
  readonly #root: Folder;
  #here: Folder;

  constructor(root: Folder) {
    this.#root = root;
    this.#here = root;
  }

  state(): PythonDict {
    return dict({ root: stateOf(this.#root) });
  }

  readonly methods = {
    pwd: method([], () => {
      const path: string[] = [];
      for (let at: Folder | undefined = this.#here; at !== undefined; at = at.parent) path.unshift(at.name);
      return dict({ current_working_directory: `/${path.join('/')}` });
    }),
    ls: method([['a', false]], (all = false) => {
      const names = [...this.#here.contents.keys()];
      return dict({
        current_directory_content: isTrue(all) ? names : names.filter((name) => !name.startsWith('.')),
      });
    }),
    cd: method(['folder'], (folder = null) => this.#enter(folder)),
    mkdir: method(['dir_name'], (name = null) => {
      const cannot = `mkdir: cannot create directory '${str(name)}'`;
      if (!isName(name)) return error(`${cannot}: Invalid character`);
      if (this.#here.contents.has(name)) return error(`${cannot}: File exists`);
      this.#here.add(new Folder(name, this.#here));
      return null;
    }),
    touch: method(['file_name'], (name = null) => {
      const cannot = `touch: cannot touch '${str(name)}'`;
      if (!isName(name)) return error(`${cannot}: Invalid character`);
      if (this.#here.contents.has(name)) return error(`${cannot}: File exists`);
      this.#here.add(new File(name, ''));
      return null;
    }),
    echo: method(['content', ['file_name', null]], (content = null, name = null) => {
      if (name === null) return dict({ terminal_output: content });
      if (!isName(name)) return error(`echo: cannot touch '${str(name)}': Invalid character`);
      if (name === '') return dict({ terminal_output: content });
      const item = this.#item(name);
      if (item === undefined) return error(`echo: cannot write to '${name}': No such file`);
      if (item instanceof Folder)
        throw new PythonException('AttributeError', "'Directory' object has no attribute '_write'");
      item.content = content;
      return null;
    }),
    cat: method(['file_name'], (name = null) => {
      if (!isName(name)) return error(`cat: '${str(name)}': Invalid character`);
      const item = this.#item(name);
      if (item === undefined) return error(`cat: ${name}: No such file or directory`);
      if (item instanceof Folder) return error(`cat: ${name}: Is a directory`);
      return dict({ file_content: item.content });
    }),
    find: method(
      [
        ['path', '.'],
        ['name', null],
      ],
      (path = '.', name = null) => {
        const matches: string[] = [];
        const search = (folder: Folder, base: string): void => {
          for (const [each, item] of folder.contents) {
            if (name === null || contains(each, name)) matches.push(`${base}/${each}`);
            if (item instanceof Folder) search(item, `${base}/${each}`);
          }
        };
        search(this.#here, strippedRight(path, '/'));
        return dict({ matches });
      },
    ),
    wc: method(['file_name', ['mode', 'l']], (name = null, mode = 'l') => {
      if (!contains(['l', 'w', 'c'], mode)) return error(`wc: invalid mode '${str(mode)}'`);
      const content = this.#read(name);
      if (content === undefined) return error(`wc: ${str(name)}: No such file or directory`);
      if (mode === 'l') return dict({ count: BigInt(splitLines(content).length), type: 'lines' });
      if (mode === 'c') return dict({ count: lengthOf(content), type: 'characters' });
      const words = attributeOf(content, 'split')
        .split(/\s+/)
        .filter((word) => word !== '');
      return dict({ count: BigInt(words.length), type: 'words' });
    }),
    sort: method(['file_name'], (name = null) => {
      const content = this.#read(name);
      if (content === undefined) return error(`sort: ${str(name)}: No such file or directory`);
      return dict({ sorted_content: sorted(splitLines(content)).join('\n') });
    }),
    grep: method(['file_name', 'pattern'], (name = null, pattern = null) => {
      const content = this.#read(name);
      if (content === undefined) return error(`grep: ${str(name)}: No such file or directory`);
      return dict({ matching_lines: splitLines(content).filter((line) => contains(line, pattern)) });
    }),
    du: method([['human_readable', false]], (isReadable = false) => {
      const size = sizeOf(this.#here);
      return dict({ disk_usage: isTrue(isReadable) ? readableSize(size) : `${size} bytes` });
    }),
    tail: method(['file_name', ['lines', 10n]], (name = null, lines = 10n) => {
      const content = this.#read(name);
      if (content === undefined) return error(`tail: ${str(name)}: No such file or directory`);
      const all = splitLines(content);
      const count = isGreater(lines, BigInt(all.length)) ? BigInt(all.length) : lines;
      if (typeof count === 'number')
        throw new PythonException(
          'TypeError',
          'slice indices must be integers or None or have an __index__ method',
        );
      return dict({ last_lines: all.slice(-Number(count)).join('\n') });
    }),
    diff: method(['file_name1', 'file_name2'], (first = null, second = null) => {
      const [left, right] = [this.#read(first), this.#read(second)];
      if (left === undefined || right === undefined)
        return error(`diff: ${str(first)} or ${str(second)}: No such file or directory`);
      const others = splitLines(right);
      const differing = splitLines(left).flatMap((line, at) => {
        const other = others[at];
        return other === undefined || other === line ? [] : [`- ${line}\n+ ${other}`];
      });
      return dict({ diff_lines: differing.join('\n') });
    }),
    mv: method(['source', 'destination'], (source = null, destination = null) =>
      this.#place('mv', source, destination),
    ),
    cp: method(['source', 'destination'], (source = null, destination = null) =>
      this.#place('cp', source, destination),
    ),
    rm: method(['file_name'], (name = null) => {
      if (!this.#has(name)) return error(`rm: cannot remove '${str(name)}': No such file or directory`);
      this.#here.contents.delete(name);
      return dict({ result: `'${name}' removed` });
    }),
    rmdir: method(['dir_name'], (name = null) => {
      if (!this.#has(name)) return error(`rmdir: cannot remove '${str(name)}': No such file or directory`);
      const item = this.#item(name);
      if (!(item instanceof Folder)) return error(`rmdir: cannot remove '${name}': Not a directory`);
      if (item.contents.size > 0) return error(`rmdir: failed to remove '${name}': Directory not empty`);
      this.#here.contents.delete(name);
      return dict({ result: `'${name}' removed` });
    }),
  };

  #enter(given: PythonValue): PythonDict {
    const folder = strippedRight(given, '/') || '/';
    if (folder === '..') {
      if (this.#here.parent === undefined)
        return error(
          this.#here === this.#root
            ? 'Cuurent directory is already the root. Cannot go back.'
            : 'cd: ..: No such directory',
        );
      this.#here = this.#here.parent;
      return dict({});
    }
    if (folder !== '/' && folder.includes('/'))
      return error(`cd: ${folder}: Unsupported path. Only one folder level at a time is supported.`);
    const target =
      folder === '/' ? this.#root : folder === '.' ? this.#here : this.#here.contents.get(folder);
    if (!(target instanceof Folder))
      return error(`cd: ${folder}: No such directory. You cannot use path to change directory.`);
    this.#here = target;
    return dict({ current_working_directory: target.name });
  }

  /** Moves or copies; what is moved is taken away first, as the official one does. */
  #place(verb: 'mv' | 'cp', source: PythonValue, destination: PythonValue): PythonDict {
    const cannot = `${verb}: cannot ${verb === 'mv' ? 'move' : 'copy'} '${str(source)}'`;
    if (!this.#has(source)) return error(`${cannot}: No such file or directory`);
    const item = this.#item(source)!;
    if (contains(destination, '/'))
      return error(
        verb === 'mv'
          ? 'mv: no path allowed in destination. Only file name and folder name is supported for this operation.'
          : "cp: don't allow path in destination. Only file name and folder name is supported for this operation.",
      );
    const target = this.#has(destination) ? this.#item(destination) : undefined;
    const done = verb === 'mv' ? 'moved' : 'copied';
    if (target instanceof Folder) {
      // The official copy looks for the wrong name here, and raises when it adds.
      if (verb === 'mv' && target.contents.has(source))
        return error(`${cannot} to '${str(destination)}/${source}': File exists`);
      if (verb === 'mv') this.#here.contents.delete(source);
      target.add(again(item, source, target, verb));
      return dict({ result: `'${source}' ${done} to '${str(destination)}/${source}'` });
    }
    if (target !== undefined) return error(`${cannot} to '${str(destination)}': Not a directory`);
    if (verb === 'mv') this.#here.contents.delete(source);
    this.#here.add(again(item, str(destination), this.#here, verb));
    return dict({ result: `'${source}' ${done} to '${str(destination)}'` });
  }

  #has(name: PythonValue): name is string {
    return hasKey(this.#here.contents, name);
  }

  #item(name: string): File | Folder | undefined {
    return this.#here.contents.get(name);
  }

  /** What a file of the folder holds; nothing where there is no such file. */
  #read(name: PythonValue): PythonValue | undefined {
    const item = this.#has(name) ? this.#item(name) : undefined;
    return item instanceof File ? item.content : undefined;
  }
}

/** A new file or folder with what another holds: a moved folder the very same, a copied one the same files. */
function again(item: File | Folder, name: string, parent: Folder, verb: 'mv' | 'cp'): File | Folder {
  if (item instanceof File) return new File(name, item.content);
  const folder = new Folder(name, parent);
  folder.contents = verb === 'mv' ? item.contents : new Map(item.contents);
  return folder;
}

function isName(value: PythonValue): value is string {
  return [...'|/\\?%*:"><'].every((character) => !contains(value, character));
}

function sizeOf(item: File | Folder): number {
  if (item instanceof File) return Buffer.byteLength(attributeOf(item.content, 'encode'));
  return [...item.contents.values()].reduce((sum, each) => sum + sizeOf(each), 0);
}

function readableSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let size = bytes;
  while (size >= 1024 && units.length > 1) {
    size /= 1024;
    units.shift();
  }
  return `${Number(round(size as PythonNumber, 2)).toFixed(2)} ${units[0]}`;
}

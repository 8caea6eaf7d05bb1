import type { Check, Tree } from './tree.ts';
import { isTest } from './tree.ts';

/** Wings and rooms in the order of the data; rooms in one bracket are brothers, and neither imports the other. */
const wings: Readonly<Record<string, readonly (readonly string[])[]>> = {
  base: [['host'], ['json'], ['schema'], ['dialect'], ['signature'], ['message']],
  wire: [], // One room for each provider; see `placeInWire`.
  run: [['tool'], ['display'], ['computer'], ['loop'], ['mcp', 'bridge']],
  grade: [['language'], ['scenario'], ['person'], ['play'], ['score'], ['check'], ['store'], ['episode']],
  eval: [
    ['suite'],
    ['statistics'],
    ['python'],
    ['seat'],
    ['bfcl', 'tau-bench', 'tau2'],
    ['benchmark'],
    ['study'],
    ['exchange'],
  ],
  serve: [
    ['api'],
    ['client', 'http'],
    ['protocol'],
    ['server'],
    ['terminal'],
    ['evaluate'],
    ['cli'],
    ['expect'],
  ],
};
const wingOrder = Object.keys(wings);

/** Folders of `wire/` that all providers share; `transport/` is none, since translation fetches nothing. */
const sharedByProviders = ['request', 'reply'];

interface Place {
  readonly room: string;
  readonly wing: number;
  readonly rank: number;
}

/** An import points only to something earlier. */
export const importOrder: Check = {
  name: 'import order',
  run(tree) {
    const faults: string[] = [];
    const files = tree.sources({ tests: true }).filter((file) => file !== 'src/index.ts');
    for (const file of files) {
      const from = placeOf(tree, file);
      if (!from) {
        faults.push(`${file} is in no room of the house.`);
        continue;
      }
      for (const { target } of tree.localImports(file)) {
        const reason = forbidden(tree, file, from, target);
        if (reason) faults.push(`${file} imports ${target}: ${reason}`);
      }
    }
    faults.push(...viewerFaults(tree));
    return { read: files.length, faults };
  },
};

function forbidden(tree: Tree, file: string, from: Place, target: string): string | undefined {
  if (target === 'src/index.ts') return 'the package’s own door is for users';
  if (!target.startsWith('src/')) {
    if (/^(package\.json|viewer\/dist|scenarios\/)/.test(target)) return undefined;
    return isTest(file) ? undefined : 'it is outside src/';
  }
  const to = placeOf(tree, target);
  if (!to) return 'it is in no room of the house';
  if (isTest(file) && helpsTests(target, to)) return undefined;
  if (isTest(target) && !isTest(file)) return 'it belongs to tests';
  if (from.room === to.room) return undefined;
  if (to.wing > from.wing) return `${to.room} comes after ${from.room}`;
  if (to.wing < from.wing) {
    const named = wingOrder[from.wing] === 'run' && isProvider(to.room);
    return named ? 'run/ meets a provider only as a Model' : undefined;
  }
  if (to.rank > from.rank) return `${to.room} comes after ${from.room}`;
  if (to.rank === from.rank) return `${from.room} and ${to.room} are brothers`;
  return undefined;
}

/** A test may speak to the mock provider, and start the server that its room is a part of. */
function helpsTests(target: string, { room }: Place): boolean {
  return room === 'wire/mock' || target.startsWith('src/serve/server/testing/');
}

/** The rooms of `wire/`: what providers share, providers, what uses them or reaches them, the mock. */
function placeInWire(tree: Tree, path: readonly string[]): Place {
  const wing = wingOrder.indexOf('wire');
  const [first = ''] = path;
  if (first === 'mock') return { room: 'wire/mock', wing, rank: 3 };
  const shared = sharedByProviders.includes(first);
  const later = first === 'transport' || first === 'test';
  if (path.length > 1 && !later && !shared) return { room: `wire/${first}`, wing, rank: 1 };
  return later || usesProviders(tree, `src/wire/${path.join('/')}`, new Set())
    ? { room: 'wire (after providers)', wing, rank: 2 }
    : { room: 'wire (shared)', wing, rank: 0 };
}

/**
 * A file of `wire/` itself is after the providers when it imports one, or `transport/`, or a file that does. What all of
 * them share may not grow into that; its tests may use them all.
 */
function usesProviders(tree: Tree, file: string, seen: Set<string>): boolean {
  if (/\/(catalog|index|[^/]+\.test)\.ts$/.test(file)) return true;
  const isShared = sharedByProviders.some((folder) => file.startsWith(`src/wire/${folder}/`));
  if (isShared || seen.has(file) || !tree.has(file)) return false;
  seen.add(file);
  return tree.localImports(file).some(({ target }) => {
    const folder = /^src\/wire\/([^/]+)\//.exec(target)?.[1];
    if (folder !== undefined) return folder !== 'mock' && !sharedByProviders.includes(folder);
    return target.startsWith('src/wire/') && usesProviders(tree, target, seen);
  });
}

function isProvider(room: string): boolean {
  return room.startsWith('wire/') && room !== 'wire/mock';
}

function placeOf(tree: Tree, file: string): Place | undefined {
  const [, wingName = '', ...path] = file.split('/');
  if (wingName === 'wire') return placeInWire(tree, path);
  const wing = wingOrder.indexOf(wingName);
  if (wing < 0) return undefined;
  // A file of the wing itself is a door, which opens all of its rooms.
  if (path.length === 1) return { room: wingName, wing, rank: 99 };
  const rank = wings[wingName]?.findIndex((brothers) => brothers.includes(path[0] ?? '')) ?? -1;
  return rank < 0 ? undefined : { room: `${wingName}/${path[0]}`, wing, rank };
}

/** The page sees the contract and the client, nothing else of the house. */
function viewerFaults(tree: Tree): string[] {
  const files = tree.files.filter((file) => /^viewer\/src\/.*\.tsx?$/.test(file) && !isTest(file));
  return files.flatMap((file) =>
    tree
      .localImports(file)
      .filter(({ target }) => target.startsWith('src/') && !/^src\/serve\/(api|client)\//.test(target))
      .map(({ target }) => `${file} imports ${target}: the page sees only serve/api and serve/client`),
  );
}

import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { checkFilled } from './check-filled.ts';
import { checkPatterns } from './check-patterns.ts';
import { checkTools } from './check-tools.ts';
import {
  bareVariables,
  checkAxes,
  checkValues,
  checkWhen,
  variablesHold,
  variablesOf,
} from './check-variables.ts';
import { objectsIn } from '../json-list.ts';
import { pictureType } from '../picture.ts';
import { nearestName } from '../../../base/schema/check/nearest-names.ts';
import { namesAxes } from '../variant.ts';
import type { Axis } from '../variant.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';

type Path = readonly (string | number)[];
type Kind = 'fact' | 'tool' | 'expected call' | 'document';

/** What the format cannot say: names that point to nothing, circles, variables that are bound to nothing. */
export function checkReferences(source: SourceFile, axes: readonly Axis[]): readonly Diagnostic[] {
  const template = source.value as JsonObject;
  const faults: Diagnostic[] = [];
  const say = (path: Path, message: string) => faults.push({ message, place: source.locate(path) });
  const known: Readonly<Record<Kind, readonly string[]>> = {
    fact: idsOf(template['facts']),
    tool: idsOf(template['tools']),
    'expected call': idsOf(template['expect']),
    document: objectsIn(template['documents']).map((document) => String(document['file'])),
  };
  const path: (string | number)[] = [];
  const unbound = variablesOf(axes);
  const holds = source.text !== undefined && variablesHold(source.text, axes);
  const checkText = (text: string) => {
    if (holds || !text.includes('{')) return;
    for (const message of unbound(text)) say(path, message);
    // The steps of a tool name fields of its input so.
    if (path[0] !== 'tools' && !path.includes('does'))
      for (const message of bareVariables(text, axes)) say(path, message);
  };
  const isCircumstance = (when: JsonValue) =>
    namesAxes(when, (name) => axes.some((axis) => axis.name === name));
  const checkNames = (value: JsonValue, kind: Kind) => {
    const names = known[kind];
    if (typeof value === 'string') {
      if (!names.includes(value)) refer(value, names, (message) => say(path, message), kind);
    } else if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) {
        const name = value[index] as JsonValue;
        if (typeof name !== 'string' || names.includes(name)) continue;
        refer(name, names, (message) => say([...path, index], message), kind);
      }
  };
  const asksOfPlay = () => path[0] === 'sessions' || (path[1] === 'moves' && !path.includes('does'));
  // One path for all that is looked at, long as it is deep: a catalog walks over millions of values.
  const walk = (value: JsonValue, room: Room): void => {
    if (typeof value === 'string') checkText(value);
    else if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) {
        const item = value[index] as JsonValue;
        if (holds && typeof item !== 'object') continue;
        path.push(index);
        walk(item, room);
        path.pop();
      }
    else if (isJsonObject(value)) {
      const isOfFormat = room === 'written' || room === 'field';
      for (const key in value) {
        const member = value[key]!;
        path.push(key);
        if (isOfFormat) {
          const kind = kinds.get(key);
          if (kind) checkNames(member, kind);
          if (typeof member === 'string' && member.startsWith('${')) {
            const message = checkFilled(key, member, axes);
            if (message !== undefined) say(path, message);
          }
        }
        if (key === 'when' && (isOfFormat || isCircumstance(member)))
          checkWhen(member, axes, (message) => say(path, message));
        else if (room !== 'written') checkText(key);
        // Where the variables hold, nothing can be wrong with a text, nor with data of the scenario's own.
        if (!holds) walk(member, roomBelow(room, key, asksOfPlay()));
        else if (typeof member === 'object') {
          const below = roomBelow(room, key, asksOfPlay());
          if (below !== 'free') walk(member, below);
        }
        path.pop();
      }
    }
  };
  for (const key in template) {
    if (key === 'vary') continue;
    path.push(key);
    const kind = kinds.get(key);
    if (kind) checkNames(template[key]!, kind);
    if (key !== 'world') walk(template[key]!, 'written');
    else if (!holds) walk(template[key]!, 'free');
    path.pop();
  }
  checkAxes(template, say);
  // What a module calculates is filled as it calculates it.
  if (source.text !== undefined) checkValues(template['vary'], say);
  checkUnique(template, say);
  for (const cycle of cyclesIn(template['expect'], 'follows'))
    say(
      ['expect', cycle.index, 'follows'],
      `These expected calls wait for each other: ${cycle.names.join(' → ')}. One of them must come first.`,
    );
  for (const cycle of cyclesIn(template['facts'], 'after'))
    say(
      ['facts', cycle.index, 'after'],
      `These facts wait for each other: ${cycle.names.join(' → ')}. One of them must come first.`,
    );
  checkTools(template, axes, say);
  checkPatterns(template, say);
  checkDocuments(template, say);
  if (template['shape'] === 'journey' && objectsIn(template['sessions']).length === 0)
    say(
      ['shape'],
      'A journey has "sessions", one for each time that the two meet. Write them, or another shape.',
    );
  return faults;
}

/** Whose words the members are: the format's, names of fields with what is said of each, or data of the scenario's own. */
type Room = 'written' | 'fields' | 'field' | 'free';

function roomBelow(room: Room, key: string, asksOfPlay: boolean): Room {
  if (room === 'fields') return 'field';
  if (room !== 'written' || free.has(key)) return 'free';
  // A session and a move ask what was found or called; a step, for places of the world.
  if (key === 'if') return asksOfPlay ? 'written' : 'free';
  return key === 'input' || key === 'world' ? 'fields' : 'written';
}

const free: ReadonlySet<string> = new Set([
  'json_schema',
  'exemplar',
  'set',
  'answer',
  'where',
  'value',
  'lines',
]);

/** Members that hold names, and of what. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...['after', 'reveals', 'when_found', 'found', 'missed'].map((key) => [key, 'fact'] as const),
  ...['ends', 'call', 'called', 'not_called', 'tool'].map((key) => [key, 'tool'] as const),
  ['follows', 'expected call'],
  ['document', 'document'],
]);

export function idsOf(list: JsonValue | undefined): readonly string[] {
  const ids: string[] = [];
  for (const { id } of objectsIn(list)) if (typeof id === 'string') ids.push(id);
  return ids;
}

/** Tells of a name that points to nothing, with the nearest that does. */
export function refer(
  name: JsonValue,
  known: readonly string[],
  say: (message: string) => void,
  what: string,
): void {
  if (typeof name !== 'string' || name.includes('${') || known.includes(name)) return;
  const near = nearestName(name, known);
  say(
    `There is no ${what} "${name}".${near ? ` Did you mean "${near}"?` : ''} Known: ${known.join(', ') || 'none'}.`,
  );
}

/** The same id twice is two versions of one thing: each needs a `when`. */
function checkUnique(template: JsonObject, say: (path: Path, message: string) => void): void {
  const check = (list: JsonValue | undefined, path: Path, seen: Map<string, JsonObject>, key = 'id') => {
    const all = objectsIn(list);
    for (let index = 0; index < all.length; index++) {
      const item = all[index]!;
      const id = item[key];
      if (typeof id !== 'string' || id === '') continue;
      const earlier = seen.get(id);
      if (earlier && !('when' in item && 'when' in earlier))
        say([...path, index, key], `"${id}" is here twice. Give each its own ${key}, or each a "when".`);
      seen.set(id, item);
    }
  };
  for (const list of ['facts', 'tools', 'expect']) check(template[list], [list], new Map());
  check(template['documents'], ['documents'], new Map(), 'file');
  // A grade names a criterion by its id alone.
  const ofCriteria = new Map<string, JsonObject>();
  const criteria = template['criteria'] as JsonObject | undefined;
  for (const group in criteria) check(criteria[group], ['criteria', group], ofCriteria);
}

/** Who has a document decides what else can be said of it. */
function checkDocuments(template: JsonObject, say: (path: Path, message: string) => void): void {
  objectsIn(template['documents']).forEach((document, index) => {
    const name = String(document['file']);
    const isPersons = document['for'] === 'person' || document['for'] === 'both';
    if (document['for'] === 'person' && !('ask' in document))
      say(
        ['documents', index],
        `Nobody can ask the person for "${name}". Add "ask", the questions at which it is read out.`,
      );
    if (pictureType(name) !== undefined && document['for'] !== 'operator') {
      say(
        ['documents', index, 'for'],
        `"${name}" is a picture, and only an operator can look at one. Write "for: operator".`,
      );
      return;
    }
    for (const member of ['ask', 'reveals'])
      if (!isPersons && member in document)
        say(
          ['documents', index, member],
          `Only a document of the person is read out: with "${member}", "${name}" is for person or both.`,
        );
  });
}

interface Cycle {
  readonly index: number;
  readonly names: readonly string[];
}

function cyclesIn(list: JsonValue | undefined, member: string): readonly Cycle[] {
  const nodes = objectsIn(list);
  const next = new Map<string, readonly string[]>();
  for (const node of nodes) {
    const names = node[member];
    if (Array.isArray(names)) next.set(String(node['id']), names.map(String));
    else if (next.size > 0) next.delete(String(node['id']));
  }
  const done = new Set<string>();
  const cycles: Cycle[] = [];
  const visit = (id: string, trail: readonly string[]): void => {
    const at = trail.indexOf(id);
    if (at >= 0) {
      cycles.push({ index: nodes.findIndex((node) => node['id'] === id), names: [...trail.slice(at), id] });
      return;
    }
    const others = next.get(id);
    if (!others || done.has(id)) return;
    for (const other of others) visit(other, [...trail, id]);
    done.add(id);
  };
  for (const id of next.keys()) visit(id, []);
  return cycles;
}

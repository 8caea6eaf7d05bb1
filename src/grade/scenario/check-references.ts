import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { nearest } from './nearest.ts';
import type { Axis } from './variant.ts';
import { readPath } from './world-path.ts';
import type { Fault, SourceFile } from './place.ts';

type Path = readonly (string | number)[];

/** What the format cannot say: names that point to nothing, circles, variables that are bound to nothing. */
export function checkReferences(source: SourceFile, axes: readonly Axis[]): readonly Fault[] {
  const template = source.value as JsonObject;
  const faults: Fault[] = [];
  const say = (path: Path, message: string) => faults.push({ message, place: source.locate(path) });
  const facts = idsOf(template['facts']);
  const tools = idsOf(template['tools']);
  const expected = idsOf(template['expect']);
  const documents = items(template['documents']).map((document) => String(document['file']));

  checkUnique(template, say);
  walk(template, [], (path, value) => {
    if (path[0] === 'vary') return;
    const key = path.at(-1);
    if (typeof value === 'string' && value.includes('${'))
      checkVariables(value, axes, (message) => say(path, message));
    const names = Array.isArray(value) ? value : [];
    const isFactList =
      path[0] !== 'world' &&
      (key === 'reveals' ||
        key === 'when_found' ||
        key === 'found' ||
        key === 'missed' ||
        (key === 'after' && path[0] !== 'tools'));
    if (isFactList)
      names.forEach((name, index) => refer(name, facts, (message) => say([...path, index], message), 'fact'));
    if (key === 'follows')
      names.forEach((name, index) =>
        refer(name, expected, (message) => say([...path, index], message), 'expected call'),
      );
    if (key === 'document' && path[0] === 'tools' && path[2] === 'steps')
      refer(value, documents, (message) => say(path, message), 'document');
    if (key === 'ends')
      names.forEach((name, index) => refer(name, tools, (message) => say([...path, index], message), 'tool'));
    if (
      (key === 'call' && path[0] === 'expect') ||
      ((key === 'called' || key === 'not_called') && path[0] !== 'world') ||
      (key === 'tool' && path[0] === 'faults')
    )
      refer(value, tools, (message) => say(path, message), 'tool');
  });
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
  checkTools(template, say);
  checkDocuments(template, say);
  return faults;
}

function idsOf(list: JsonValue | undefined): readonly string[] {
  return items(list).flatMap((item) => (typeof item['id'] === 'string' ? [item['id']] : []));
}

function items(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? (list as readonly JsonValue[]).filter(isJsonObject) : [];
}

function refer(
  name: JsonValue,
  known: readonly string[],
  say: (message: string) => void,
  what: string,
): void {
  if (typeof name !== 'string' || name.includes('${') || known.includes(name)) return;
  const near = nearest(name, known);
  say(
    `There is no ${what} "${name}".${near ? ` Did you mean "${near}"?` : ''} Known: ${known.join(', ') || 'none'}.`,
  );
}

/** The same id twice is two versions of one thing: each needs a `when`. */
function checkUnique(template: JsonObject, say: (path: Path, message: string) => void): void {
  for (const list of ['facts', 'tools', 'expect']) {
    const seen = new Map<string, JsonObject>();
    items(template[list]).forEach((item, index) => {
      const id = typeof item['id'] === 'string' ? item['id'] : '';
      const earlier = seen.get(id);
      if (id !== '' && earlier && !('when' in item && 'when' in earlier))
        say([list, index, 'id'], `"${id}" stands here twice. Give each its own id, or each a "when".`);
      seen.set(id, item);
    });
  }
}

function checkTools(template: JsonObject, say: (path: Path, message: string) => void): void {
  items(template['tools']).forEach((tool, index) => {
    const id = String(tool['id']);
    if (tool['type'] === 'decision' && !('options' in tool) && !('json_schema' in tool))
      say(['tools', index], `The decision "${id}" has no options to choose from. Add "options: [...]".`);
    if (tool['type'] !== 'decision' && !('json_schema' in tool))
      say(['tools', index], `The tool "${id}" has no json_schema: a model could not know what to write.`);
  });
}

/** Who has a document decides what else can be said of it. */
function checkDocuments(template: JsonObject, say: (path: Path, message: string) => void): void {
  items(template['documents']).forEach((document, index) => {
    const name = String(document['file']);
    const isPersons = document['for'] === 'person' || document['for'] === 'both';
    if (document['for'] === 'person' && !('ask' in document))
      say(
        ['documents', index],
        `Nobody can ask the person for "${name}". Add "ask", the questions at which it is read out.`,
      );
    for (const member of ['ask', 'reveals'])
      if (!isPersons && member in document)
        say(
          ['documents', index, member],
          `Only a document of the person is read out: with "${member}", "${name}" is for person or both.`,
        );
  });
}

/** Each variable is bound, in every value of its axis. */
function checkVariables(text: string, axes: readonly Axis[], say: (message: string) => void): void {
  for (const [written, name] of text.matchAll(/\$\{([\w.-]+)\}/g)) {
    const [first = '', ...rest] = (name ?? '').split('.');
    const axis = axes.find((one) => one.name === first);
    if (!axis) {
      const near = nearest(
        first,
        axes.map((one) => one.name),
      );
      say(
        `${written} is bound to nothing: "vary" has no "${first}".${near ? ` Did you mean "${near}"?` : ''}`,
      );
      continue;
    }
    const lacking = axis.values.findIndex((value) => readPath(value, rest.join('.')) === undefined);
    if (lacking >= 0) say(`${written} is bound to nothing in value ${lacking + 1} of "${first}".`);
  }
}

interface Cycle {
  readonly index: number;
  readonly names: readonly string[];
}

function cyclesIn(list: JsonValue | undefined, member: string): readonly Cycle[] {
  const nodes = items(list);
  const next = new Map(
    nodes.map((node) => [String(node['id']), Array.isArray(node[member]) ? node[member].map(String) : []]),
  );
  const done = new Set<string>();
  const cycles: Cycle[] = [];
  const visit = (id: string, trail: readonly string[]): void => {
    const at = trail.indexOf(id);
    if (at >= 0) {
      cycles.push({ index: nodes.findIndex((node) => node['id'] === id), names: [...trail.slice(at), id] });
      return;
    }
    if (done.has(id)) return;
    for (const other of next.get(id) ?? []) visit(other, [...trail, id]);
    done.add(id);
  };
  for (const id of next.keys()) visit(id, []);
  return cycles;
}

/** Every value with its path, from the outside in. */
function walk(value: JsonValue, path: Path, visit: (path: Path, value: JsonValue) => void): void {
  visit(path, value);
  if (Array.isArray(value))
    (value as readonly JsonValue[]).forEach((item, index) => walk(item, [...path, index], visit));
  else if (isJsonObject(value)) for (const key in value) walk(value[key]!, [...path, key], visit);
}

import { WhetstoneError } from '../../base/host/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { examplesIn } from './examples.ts';
import { type GeneralQuestion, generalQuestions } from './general.ts';
import { listOf } from './json-list.ts';
import { pageOf, pageTool } from './page-world.ts';
import { pathsOf } from './paths.ts';
import type { PlayCondition } from './play-condition.ts';
import { type Picture, pictureType } from './picture.ts';
import type { Scenario } from './scenario.ts';
import type {
  Criteria,
  ExpectedCall,
  Fact,
  FunctionTool,
  Person,
  PersonMove,
  Session,
  Task,
  ToolOffer,
  WorldStep,
} from './task.ts';
import { bindVariant, fillTemplate } from './variant.ts';

/** One task of a scenario: everything that varies fixed by the variant's number. The seed only chooses the person's turns of phrase. */
export function buildTask(scenario: Scenario, variant = 0, seed = 0): Task {
  if (!Number.isInteger(variant) || variant < 0 || variant >= scenario.variants)
    throw new WhetstoneError(
      'variant_unknown',
      `"${scenario.collection}/${scenario.slug}" has no variant ${variant}: it has ${scenario.variants}, counted from 0.`,
      { details: { variant, variants: scenario.variants } },
    );
  const bound = bindVariant(scenario.axes, variant);
  const { vary: _, derive: __, ...template } = scenario.template;
  const filled = withOwnStrings(fillTemplate(template, bound) as JsonObject);
  const documents = documentsOf(filled, scenario, bound);
  const facts = listOf(filled['facts']).filter(isJsonObject).map(readFact);
  const readings = readingsOf(Object.values(documents), facts);
  const written = readPerson(objectOf(filled['person']));
  const person = { ...written, acts: [...written.acts, ...readings] };
  const briefing = briefingOf(filled, Object.values(documents));
  const images = Object.values(documents).flatMap(({ picture }) => picture ?? []);
  const world = objectOf(filled['world']);
  const page = pageOf(scenario.folder, world);
  const tools = [...listOf(filled['tools']).filter(isJsonObject), ...(page === undefined ? [] : [pageTool])];
  const turns = numberOf(objectOf(filled['limits'])['turns'], 20);
  const opens =
    person.speaksFirst && person.opens !== '' ? `${briefing}\n\n${person.name}: ${person.opens}` : briefing;
  return {
    reference: {
      collection: scenario.collection,
      scenario: scenario.slug,
      variant,
      seed,
      version: scenario.version,
    },
    name: scenario.name,
    description: scenario.description,
    shape: scenario.shape,
    briefing,
    opening: { role: 'assistant', content: opens, ...(images.length > 0 && { images }) },
    tools: tools.map(offerOf),
    functions: {
      ...functionsOf(tools, scenario.code, documents),
      ...(page && { [pageTool.id]: { id: pageTool.id, writes: false, page: true } }),
    },
    limits: {
      turns,
      reads: numberOf(objectOf(filled['limits'])['reads'], 10),
    },
    ends: texts(filled['ends']),
    person,
    facts,
    examples: () => examplesIn(scenario),
    world,
    ...(page && { page }),
    faults: listOf(filled['faults'])
      .filter(isJsonObject)
      .map((fault) => ({
        tool: textOf(fault['tool']),
        times: numberOf(fault['times'], 1),
        error: textOf(fault['error']),
      })),
    sessions: listOf(filled['sessions'])
      .filter(isJsonObject)
      .map((session, index, all) => readSession(session, index < all.length - 1 ? 10 : turns)),
    expected: listOf(filled['expect']).filter(isJsonObject).map(readExpected),
    criteria: readCriteria(objectOf(filled['criteria'])),
    credit: readCredit(objectOf(filled['credit'])),
    gold: pathsOf(scenario, variant).gold,
  };
}

/** A parser's strings are windows into the text of a file: they keep all of it, and cost six times as much to write. */
function withOwnStrings(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** A document as it reads in this variant. */
interface ShownDocument {
  readonly title: string;
  /** Of a picture what is in its place. */
  readonly text: string;
  readonly picture?: Picture;
  readonly for: string;
  readonly ask: readonly string[];
  readonly reveals: readonly string[];
}

function documentsOf(
  filled: JsonObject,
  scenario: Scenario,
  bound: JsonObject,
): Readonly<Record<string, ShownDocument>> {
  return Object.fromEntries(
    listOf(filled['documents'])
      .filter(isJsonObject)
      .map((document) => {
        const file = textOf(document['file']);
        const title = textOf(document['title']);
        const written = (scenario.documents[file] ?? '').trim();
        const mediaType = pictureType(file);
        return [
          file,
          {
            title,
            ...(mediaType === undefined
              ? { text: String(fillTemplate(written, bound)) }
              : { text: '(a picture)', picture: { title, media_type: mediaType, data: written } }),
            for: textOf(document['for']),
            ask: texts(document['ask']),
            reveals: texts(document['reveals']),
          },
        ];
      }),
  );
}

function briefingOf(filled: JsonObject, documents: readonly ShownDocument[]): string {
  const shown = documents.filter((one) => one.for === 'operator' || one.for === 'both');
  return [
    textOf(filled['briefing']).trim(),
    ...shown.map(({ title, text }) => `${title === '' ? '---' : `--- ${title} ---`}\n${text}`),
  ].join('\n\n');
}

/** A document in the person's hands: asked for it, the person reads it out, and what it shows is known. */
function readingsOf(documents: readonly ShownDocument[], facts: Task['facts']): Person['acts'] {
  return documents
    .filter((one) => (one.for === 'person' || one.for === 'both') && one.ask.length > 0)
    .map(({ title, text, ask, reveals }) => ({
      id: title,
      ask,
      says: `It says: ${text}`,
      does: [{ answer: text, reveals }],
      session: Math.max(1, ...facts.filter(({ id }) => reveals.includes(id)).map(({ session }) => session)),
    }));
}

/** Exactly the members that the REST API shows. */
function offerOf(tool: JsonObject): ToolOffer {
  const shown = ['id', 'type', 'name', 'description', 'mode', 'json_schema', 'options'];
  const offer = Object.fromEntries(
    shown.filter((member) => member in tool).map((member) => [member, tool[member]]),
  );
  const schema = 'json_schema' in tool;
  return {
    name: textOf(tool['id']),
    mode: schema ? 'json_schema' : 'options',
    ...offer,
  } as unknown as ToolOffer;
}

function functionsOf(
  tools: readonly JsonObject[],
  code: Scenario['code'],
  documents: Readonly<Record<string, ShownDocument>>,
): Record<string, FunctionTool> {
  return Object.fromEntries(
    tools
      .filter((tool) => tool['type'] === 'function')
      .map((tool) => {
        const id = textOf(tool['id']);
        const steps = listOf(tool['steps'])
          .filter(isJsonObject)
          .map(({ document, ...step }) =>
            document === undefined ? step : { ...step, answer: documents[textOf(document)]?.text ?? '' },
          ) as unknown as readonly WorldStep[];
        const run = 'steps' in tool || !Object.hasOwn(code, id) ? undefined : code[id];
        const writes =
          typeof tool['writes'] === 'boolean' ? tool['writes'] : steps.some((step) => step.set !== undefined);
        return [id, { id, writes, ...(run ? { run } : { steps }) }];
      }),
  );
}

function readFact(fact: JsonObject): Fact {
  return {
    id: textOf(fact['id']),
    is: textOf(fact['is'] ?? fact['says']),
    says: textOf(fact['says'] ?? fact['is']),
    reveal: (fact['reveal'] ?? 'direct_question') as Fact['reveal'],
    ask: texts(fact['ask']),
    weight: numberOf(fact['weight'], 1),
    after: texts(fact['after']),
    session: numberOf(fact['session'], 1),
    ...(typeof fact['deflects'] === 'string' ? { deflects: fact['deflects'] } : {}),
  };
}

function readPerson(person: JsonObject): Person {
  return {
    name: textOf(person['name']),
    speaksFirst: person['speaks_first'] === true,
    opens: textOf(person['opens']),
    closes: textOf(person['closes']),
    manner: textOf(person['manner'] ?? 'plain'),
    ...(typeof person['voice'] === 'string' ? { voice: person['voice'] } : {}),
    ...(person['hearing'] === 'rules' || person['hearing'] === 'model' ? { hearing: person['hearing'] } : {}),
    about: textOf(person['about']),
    synonyms: listOf(person['synonyms']).map(texts),
    rapport: numberOf(person['rapport'], 2),
    topics: [
      ...listOf(person['topics'])
        .filter(isJsonObject)
        .map((topic) => ({ ask: texts(topic['ask']), says: textOf(topic['says']) })),
      ...Object.entries(objectOf(person['general'])).map(([question, says]) => ({
        ask: generalQuestions[question as GeneralQuestion],
        says: textOf(says),
      })),
    ],
    acts: listOf(person['acts'])
      .filter(isJsonObject)
      .map((act) => ({
        id: textOf(act['id']),
        ask: texts(act['ask']),
        says: textOf(act['says']),
        does: listOf(act['does']) as unknown as readonly WorldStep[],
      })),
    goals: texts(person['goals']),
    moves: listOf(person['moves']).filter(isJsonObject).map(readMove),
    lines: objectOf(person['lines']) as Readonly<Record<string, string>>,
  };
}

function readMove(move: JsonObject): PersonMove {
  return {
    id: textOf(move['id']),
    said: texts(move['said']),
    ...(isJsonObject(move['if']) && { if: move['if'] as PlayCondition }),
    ...(typeof move['session'] === 'number' && { session: move['session'] }),
    ...(typeof move['turn'] === 'number' && { turn: move['turn'] }),
    times: numberOf(move['times'], 1),
    says: textOf(move['says']),
    does: listOf(move['does']) as unknown as readonly WorldStep[],
    reveals: texts(move['reveals']),
  };
}

function readSession(session: JsonObject, usualTurns: number): Session {
  const opens = session['opens'];
  return {
    briefing: textOf(session['briefing']),
    opens: (Array.isArray(opens)
      ? opens
      : opens === undefined
        ? []
        : [{ says: opens }]) as unknown as Session['opens'],
    ends: texts(session['ends']),
    turns: numberOf(session['turns'], usualTurns),
    sets: listOf(session['sets']) as unknown as Session['sets'],
  };
}

function readExpected(call: JsonObject, index: number): ExpectedCall {
  return {
    id: textOf(call['id'] ?? `${textOf(call['call'])}-${index + 1}`),
    call: textOf(call['call']),
    weight: numberOf(call['weight'], 1),
    required: call['required'] !== false,
    after: texts(call['after']),
    follows: texts(call['follows']),
    ...(typeof call['way'] === 'string' ? { way: call['way'] } : {}),
    ...(typeof call['by_turn'] === 'number' ? { by_turn: call['by_turn'] } : {}),
    ...(typeof call['session'] === 'number' ? { session: call['session'] } : {}),
    input: objectOf(call['input']),
    ...(call['exemplar'] === undefined ? {} : { exemplar: call['exemplar'] }),
  };
}

function readCriteria(criteria: JsonObject): Criteria {
  const list = (name: string, defaults: JsonObject) =>
    listOf(criteria[name])
      .filter(isJsonObject)
      .map((criterion) => {
        const { judge } = criterion;
        const judging = isJsonObject(judge) ? { judge: { votes: 3, ...judge } } : {};
        return { ...defaults, ...withLists(criterion), ...judging };
      }) as unknown;
  return {
    success: list('success', { required: true, weight: 1 }) as Criteria['success'],
    failure: list('failure', { fatal: false, penalty: 0.2 }) as Criteria['failure'],
    best_practices: list('best_practices', { weight: 1 }) as Criteria['best_practices'],
    rubrics: list('rubrics', { weight: 1, levels: [] }) as Criteria['rubrics'],
    scope: list('scope', { kind: 'prohibited', penalty: 0.2 }) as Criteria['scope'],
    terminology: list('terminology', { penalty: 0.05, avoid: [], instead: '' }) as Criteria['terminology'],
  };
}

const textLists: ReadonlySet<string> = new Set(['said', 'asked', 'advises', 'claims', 'avoid']);

/** A criterion whose conditions have lists of patterns, also where one alone is written. */
function withLists(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (textLists.has(key)) return [key, texts(member)];
      if (isJsonObject(member) && (key === 'check' || key === 'not')) return [key, withLists(member)];
      if (key === 'all' || key === 'any' || key === 'levels')
        return [key, listOf(member).filter(isJsonObject).map(withLists)];
      return [key, member];
    }),
  );
}

function readCredit(credit: JsonObject): Task['credit'] {
  return {
    discovery: numberOf(credit['discovery'], 4),
    calls: numberOf(credit['calls'], 6),
    outputs: numberOf(credit['outputs'], 2),
    rubrics: numberOf(credit['rubrics'], 2),
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function texts(value: JsonValue | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : listOf(value).map((item) => textOf(item));
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

function numberOf(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

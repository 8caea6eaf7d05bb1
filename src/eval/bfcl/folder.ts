import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { WhetstoneError } from '../../base/host/errors.ts';
import { requireDict, wrong } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import type { PythonDict } from '../python/value.ts';
import type { Version } from './category.ts';
import { apis } from './multi-turn/backend.ts';
import { type Dialogue, isDialogue, readDialogue } from './multi-turn/dialogue.ts';
import { type Question, readQuestion } from './question.ts';

/** The questions of a folder, each category read when it is first asked for. */
export interface BfclFolder {
  readonly version: Version;
  /** The questions of a category as they are written, in their order; none where there is no such category. */
  readonly asked: (category: string) => ReadonlyMap<string, PythonDict>;
  /** `undefined` where the folder has no question of this id. */
  readonly question: (id: string) => Question | undefined;
  /** A question of several turns; `undefined` where its id is of no such category. */
  readonly dialogue: (id: string) => Dialogue | undefined;
  /** The functions that come with a class, as they are written. */
  readonly described: (api: string) => readonly PythonDict[];
  /** Whether the benchmark tells a model of names with `_` for `.`. */
  readonly writesUnderscores: (model: string) => boolean;
}

export function openFolder(folder: string): BfclFolder {
  const found = layoutOf(folder);
  if (found === undefined) {
    throw new WhetstoneError(
      'benchmark_data',
      `${folder} has no data of BFCL: looked for data/simple.jsonl with possible_answer/ (2024-08), and for BFCL_v4_*.json or BFCL_v4_*.json.gz here, in bfcl_eval/data and in berkeley-function-call-leaderboard/bfcl_eval/data (v4).`,
      { details: { folder } },
    );
  }
  const { version, file } = found;
  const questions = new Map<string, ReadonlyMap<string, Question>>();
  const dialogues = new Map<string, ReadonlyMap<string, Dialogue>>();
  return {
    version,
    asked: (category) => new Map(/^\w+$/.test(category) ? readRecords(file('question', category)) : []),
    question: (id) => {
      const category = categoryOf(id);
      let known = questions.get(category);
      if (known === undefined) questions.set(category, (known = readCategory(version, category, file)));
      return known.get(id);
    },
    dialogue: (id) => {
      const category = categoryOf(id);
      if (version !== 'v4' || !isDialogue(category)) return undefined;
      let known = dialogues.get(category);
      if (known === undefined) dialogues.set(category, (known = readDialogues(category, file)));
      return known.get(id) ?? wrong(id, 'task', 'the id of a question in the data');
    },
    described: (api) => readLines(found.described(apis[api]!.described)),
    writesUnderscores: readModels(found),
  };
}

interface Layout {
  readonly version: Version;
  readonly file: (kind: 'question' | 'answer', category: string) => string;
  /** A file of descriptions of functions. */
  readonly described: (name: string) => string;
  /** Where the models are listed whose names have `_` for `.`. */
  readonly models: readonly string[];
}

function layoutOf(folder: string): Layout | undefined {
  if (existsSync(join(folder, 'data')) && existsSync(join(folder, 'possible_answer'))) {
    if (readdirSync(join(folder, 'data')).some((name) => name.endsWith('.jsonl'))) {
      return {
        version: '2024-08',
        file: (kind, category) =>
          join(folder, kind === 'question' ? 'data' : 'possible_answer', `${category}.jsonl`),
        described: (name) => join(folder, name),
        models: [join(folder, 'name_conversion.json')],
      };
    }
  }
  const packages = [
    folder,
    join(folder, 'bfcl_eval'),
    join(folder, 'berkeley-function-call-leaderboard/bfcl_eval'),
  ];
  const places = [folder, ...packages.map((each) => join(each, 'data'))];
  const data = places.find(
    (place) =>
      existsSync(place) && readdirSync(place).some((name) => /^BFCL_v4_\w+\.json(?:\.gz)?$/.test(name)),
  );
  if (data === undefined) return undefined;
  return {
    version: 'v4',
    file: (kind, category) =>
      join(data, kind === 'question' ? '' : 'possible_answer', `BFCL_v4_${category}.json`),
    described: (name) => join(data, 'multi_turn_func_doc', name),
    models: [join(data, 'name_conversion.json'), join(data, '../constants/model_config.py')],
  };
}

function readCategory(
  version: Version,
  category: string,
  file: Layout['file'],
): ReadonlyMap<string, Question> {
  // An id is the user's: it names no other file than one of the data.
  if (!/^\w+$/.test(category)) return new Map();
  const answers = new Map(readRecords(file('answer', category)));
  return new Map(
    readRecords(file('question', category)).map(([id, record]) => {
      const functions = record.get('function');
      return [id, readQuestion({ version, category, functions, answer: answers.get(id) })];
    }),
  );
}

function readDialogues(category: string, file: Layout['file']): ReadonlyMap<string, Dialogue> {
  const answers = new Map(readRecords(file('answer', category)));
  return new Map(
    readRecords(file('question', category)).map(([id, record]) => [
      id,
      readDialogue(record, answers.get(id)?.get('ground_truth')),
    ]),
  );
}

function categoryOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('_')));
}

function readRecords(file: string): readonly (readonly [string, PythonDict])[] {
  return readLines(file).flatMap((record) => {
    const id = record.get('id');
    return typeof id === 'string' ? [[id, record] as const] : [];
  });
}

function readLines(file: string): readonly PythonDict[] {
  const lines = (readText(file) ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => requireDict(readJson(line), basename(file)));
}

function readText(file: string): string | undefined {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  return existsSync(`${file}.gz`) ? gunzipSync(readFileSync(`${file}.gz`)).toString() : undefined;
}

function readModels({ models }: Layout): (model: string) => boolean {
  const listed = new Set<string>();
  for (const file of models) {
    const text = readText(file);
    if (text === undefined) continue;
    for (const model of file.endsWith('.py') ? modelsInPython(text) : modelsInJson(text, file))
      listed.add(normalized(model));
  }
  return (model) => listed.has(normalized(model));
}

/** Folders of results have `_` where a model's name has `/`. */
function normalized(model: string): string {
  return model.replaceAll('/', '_');
}

function modelsInJson(text: string, file: string): readonly string[] {
  const models = requireDict(readJson(text), basename(file)).get('underscore_for_dot_models');
  return Array.isArray(models) ? models.filter((each) => typeof each === 'string') : [];
}

/** A checkout says it in its Python, model by model: `"name": ModelConfig(…, underscore_to_dot=True)`. */
function* modelsInPython(text: string): Generator<string> {
  for (const [, model, configuration] of text.matchAll(/"([^"\n]+)":\s*ModelConfig\(([^]*?)\n {4}\)/g))
    if (/\bunderscore_to_dot\s*=\s*True\b/.test(configuration!)) yield model!;
}

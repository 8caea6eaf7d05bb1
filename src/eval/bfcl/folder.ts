import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { WhetstoneError } from '../../base/host/errors.ts';
import { requireDict } from '../python/field.ts';
import { readJson } from '../python/json.ts';
import type { PythonDict } from '../python/value.ts';
import type { Version } from './category.ts';
import { type Question, readQuestion } from './question.ts';

/** The questions of a folder, each category read when it is first asked for. */
export interface BfclFolder {
  readonly version: Version;
  /** The questions of a category as they are written, in their order; none where there is no such category. */
  readonly asked: (category: string) => ReadonlyMap<string, PythonDict>;
  /** `undefined` where the folder has no question of this id. */
  readonly question: (id: string) => Question | undefined;
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
  return {
    version,
    asked: (category) => new Map(/^\w+$/.test(category) ? readRecords(file('question', category)) : []),
    question: (id) => {
      const category = id.slice(0, Math.max(0, id.lastIndexOf('_')));
      let known = questions.get(category);
      if (known === undefined) questions.set(category, (known = readCategory(version, category, file)));
      return known.get(id);
    },
    writesUnderscores: readModels(found),
  };
}

interface Layout {
  readonly version: Version;
  readonly file: (kind: 'question' | 'answer', category: string) => string;
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

function readRecords(file: string): readonly (readonly [string, PythonDict])[] {
  const text = readText(file);
  if (text === undefined) return [];
  const records: [string, PythonDict][] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const record = requireDict(readJson(line), basename(file));
    const id = record.get('id');
    if (typeof id === 'string') records.push([id, record]);
  }
  return records;
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

import { readFileSync } from 'node:fs';

import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';

/** A question with the answer that is expected. */
export interface Question {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  /** How far off a number may be, where this question says so itself. */
  readonly tolerance?: number;
}

/** The questions of a file of JSON Lines or CSV; what is wrong is said with its line. */
export function readQuestionFile(file: string): readonly Question[] {
  let source: string;
  try {
    source = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new WhetstoneError('suite_invalid', `${file} cannot be read: ${(error as Error).message}`);
  }
  const rows = file.endsWith('.csv') ? readCsv(source, file) : readLines(source, file);
  const questions = rows.map(({ at, row }, index) => readQuestion(row, at, String(index + 1)));
  if (questions.length === 0) throw new WhetstoneError('suite_invalid', `${file} has no question.`);
  const seen = new Set<string>();
  for (const { id } of questions) {
    if (seen.has(id))
      throw new WhetstoneError('suite_invalid', `${file}: two questions have the id "${id}".`);
    seen.add(id);
  }
  return questions;
}

interface Row {
  readonly at: string;
  readonly row: JsonObject;
}

function readQuestion(row: JsonObject, at: string, position: string): Question {
  const { id, question, answer, tolerance } = row;
  if (typeof question !== 'string' || question.trim() === '')
    throw new WhetstoneError('suite_invalid', `${at}: "question" should be a text.`);
  if (answer === undefined || answer === null || answer === '')
    throw new WhetstoneError('suite_invalid', `${at}: there is no "answer" to compare with.`);
  const allowed = tolerance === undefined || tolerance === '' ? undefined : Number(tolerance);
  if (allowed !== undefined && !(allowed >= 0))
    throw new WhetstoneError('suite_invalid', `${at}: "tolerance" should be a number of at least 0.`);
  return {
    id: id === undefined || id === null || id === '' ? position : wordsOf(id),
    question,
    answer: wordsOf(answer),
    ...(allowed !== undefined && { tolerance: allowed }),
  };
}

function wordsOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readLines(source: string, file: string): readonly Row[] {
  return source.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const at = `${file}:${index + 1}`;
    try {
      const row: unknown = JSON.parse(line);
      if (isJsonObject(row)) return [{ at, row }];
    } catch {
      // Said below, as of a line that is JSON and not an object.
    }
    throw new WhetstoneError('suite_invalid', `${at}: the line is not a JSON object.`);
  });
}

/** RFC 4180: quotes around a field may hold commas, line ends, and quotes written twice. */
function readCsv(source: string, file: string): readonly Row[] {
  const records: { readonly line: number; readonly fields: string[] }[] = [];
  let fields: string[] = [];
  let line = 1;
  let begun = 1;
  const form = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  while (form.lastIndex < source.length) {
    const at = form.lastIndex;
    const found = form.exec(source);
    if (found === null) {
      throw new WhetstoneError(
        'suite_invalid',
        `${file}:${line}: a quote is not closed, or text follows it: ${source.slice(at, at + 40)}`,
      );
    }
    const [whole, quoted, bare = '', end] = found;
    fields.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (fields.some((field) => field !== '')) records.push({ line: begun, fields });
    fields = [];
    begun = line;
  }
  const [head, ...rows] = records;
  return rows.map((record) => {
    const at = `${file}:${record.line}`;
    if (record.fields.length !== head!.fields.length)
      throw new WhetstoneError(
        'suite_invalid',
        `${at}: the row has ${record.fields.length} fields, but the head has ${head!.fields.length}.`,
      );
    const entries = head!.fields.map((name, column) => [name.trim(), record.fields[column]!] as const);
    return { at, row: Object.fromEntries(entries) };
  });
}

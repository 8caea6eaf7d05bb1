import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { Command } from 'commander';

import { isWhetstoneError, WhetstoneError } from '../../../base/host/errors.ts';
import { parseJson, type ParseJsonOptions } from '../../../base/json/parse.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { readSchema } from '../../../base/schema/read-schema.ts';
import { checkValue, loadChecker } from '../../../base/schema/check/check.ts';
import { dialects, readDialect } from '../../../base/dialect/dialect.ts';
import { describeIssues } from '../../../base/schema/check/issue.ts';
import { lower } from '../../../base/dialect/lower.ts';
import type { LowerOptions } from '../../../base/dialect/lower.ts';
import { encodeValue } from '../../../base/dialect/value/encode-value.ts';
import { readPlan } from '../../../base/dialect/value/read-plan.ts';
import { decodeValue } from '../../../base/dialect/value/decode-value.ts';
import { withoutByteOrderMark } from '../../terminal/byte-order-mark.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { answerLines } from './schema-batch.ts';
import { addReadCommand } from './schema-read.ts';
import { reportTools } from './schema-report.ts';

export function command(): Command {
  const schema = new Command('schema').description(
    'Read tools from signatures, check values, and convert schemas to the dialect of a provider.',
  );
  schema
    .command('lower')
    .description("Print a schema in a provider's dialect, with the plan for its values and a report.")
    .argument('[file]', 'a JSON Schema; standard input when absent or "-"')
    .requiredOption('--dialect <name>', `one of ${dialects.join(', ')}`)
    .option(
      '--free <how>',
      'a value without any constraint: "decline" the strict dialect, or send it as JSON "text"',
    )
    .option(
      '--absent <how>',
      'an optional member that may be null: "null" means both absent and null, or a "marker" tells them apart',
    )
    .action(lowerOne);
  schema
    .command('raise')
    .description("Convert a value back from a provider's dialect, and check it against the original schema.")
    .argument('[file]', 'the value as the model wrote it; standard input when absent or "-"')
    .requiredOption('--plan <file>', 'the plan, or what `whet schema lower` printed')
    .option('--down', 'the other way: from the original to the dialect')
    .action(raiseOne);
  schema
    .command('check')
    .description('Check a value; the issues are printed as JSON and as a text for a model.')
    .argument('<schema>', 'the file of a JSON Schema')
    .argument('[value]', 'the file of a value; standard input when absent or "-"')
    .option('--formats', 'assert formats as well')
    .action(checkOne);
  schema
    .command('report')
    .description('Say of each tool what every dialect changes, drops and refuses.')
    .argument('<paths...>', 'folders or files (.json, .jsonl) of tools or schemas')
    .option('--dialect <names...>', 'only these dialects')
    .action(reportAll);
  schema
    .command('batch')
    .description(
      'Answer JSON Lines: each names a dialect and a schema, with values to lower or wire values to probe.',
    )
    .argument('[file]', 'standard input when absent or "-"')
    .action(async (file?: string) => answerLines(file));
  addReadCommand(schema);
  return schema;
}

async function lowerOne(
  file: string | undefined,
  flags: { dialect: string } & Record<string, string>,
): Promise<void> {
  const dialect = readDialect(flags.dialect);
  const { jsonSchema } = readSchema(await readJsonOf(file));
  const options: LowerOptions = {
    ...(flags['free'] === undefined ? {} : { free: oneOf('--free', flags['free'], ['decline', 'text']) }),
    ...(flags['absent'] === undefined
      ? {}
      : { absent: oneOf('--absent', flags['absent'], ['null', 'marker']) }),
  };
  console.log(JSON.stringify(lower(jsonSchema, dialect, options)));
}

async function raiseOne(file: string | undefined, flags: { plan: string; down?: boolean }): Promise<void> {
  const written = await readJsonOf(flags.plan);
  const plan = readPlan(isJsonObject(written) && isJsonObject(written['plan']) ? written['plan'] : written);
  const value = await readValue(file);
  await loadChecker();
  const raised = flags.down ? value : decodeValue(value, plan);
  console.log(JSON.stringify(flags.down ? encodeValue(value, plan) : raised));
  const issues = checkValue(plan.original, raised);
  if (issues.length === 0) return;
  console.error(describeIssues(issues));
  process.exitCode = exitCode.no;
}

async function checkOne(
  schemaFile: string,
  valueFile: string | undefined,
  flags: { formats?: boolean },
): Promise<void> {
  const { jsonSchema } = readSchema(await readJsonOf(schemaFile));
  const value = await readValue(valueFile);
  await loadChecker();
  const issues = checkValue(jsonSchema, value, { formats: flags.formats === true });
  const valid = issues.length === 0;
  console.log(JSON.stringify(valid ? { valid } : { valid, issues, text: describeIssues(issues) }));
  if (!valid) process.exitCode = exitCode.no;
}

function reportAll(paths: readonly string[], flags: { dialect?: readonly string[] }): void {
  const wanted = flags.dialect?.map(readDialect) ?? dialects.filter((dialect) => dialect !== 'as-is');
  const tools = reportTools(paths, wanted);
  console.log(JSON.stringify(tools));
  if (tools.some((tool) => 'error' in tool || Object.values(tool.dialects).some((one) => 'error' in one)))
    process.exitCode = exitCode.no;
}

/** A value, with the numbers that no double holds as they were written. */
function readValue(file: string | undefined): Promise<JsonValue> {
  return readJsonOf(file, { numbers: 'as-written' });
}

/** A fault is told with the file that has it: a command may read two. */
async function readJsonOf(file: string | undefined, options: ParseJsonOptions = {}): Promise<JsonValue> {
  const written = await readTextOf(file);
  try {
    return parseJson(written, options) as JsonValue;
  } catch (cause) {
    if (!isWhetstoneError(cause)) throw cause;
    const place = file === undefined || file === '-' ? 'Standard input' : file;
    throw new WhetstoneError(cause.code, `${place}: ${cause.message}`, { details: cause.details, cause });
  }
}

async function readTextOf(file: string | undefined): Promise<string> {
  return file === undefined || file === '-' ? text(process.stdin) : readText(file);
}

function readText(file: string): string {
  try {
    return withoutByteOrderMark(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new WhetstoneError('usage', `The file ${file} cannot be read: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

function oneOf<Choice extends string>(flag: string, given: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  throw new WhetstoneError('usage', `${flag} is ${choices.join(' or ')}, not "${given}".`);
}

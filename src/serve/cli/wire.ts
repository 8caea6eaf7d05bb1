import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { ModelRequest } from '../../base/message/model.ts';
import { readMessages } from '../../base/message/read-message.ts';
import { wordSchema } from '../../base/message/message-schema.ts';
import { checkValue, loadChecker } from '../../base/schema/check/check.ts';
import { describeIssues } from '../../base/schema/check/issue.ts';
import type { ReadRequest } from '../../wire/adapter.ts';
import { adapterOf, apiNames } from '../../wire/catalog.ts';
import { parseJson, textOf } from '../../wire/json-fields.ts';
import { decodeBody, decodeRecord } from '../../wire/recording.ts';
import { exitCode } from '../terminal/exit-code.ts';

export function command(): Command {
  const wire = new Command('wire').description('Read and write what providers send and take.');
  wire
    .command('decode')
    .description('Print a recorded reply of a provider as canonical JSON.')
    .argument(
      '[file]',
      'a stream or a JSON body as it was sent, or records; standard input when absent or "-"',
    )
    .option('--api <name>', `whose format it is: ${apiNames.join(', ')}`)
    .option('--jsonl', 'the input has one recorded exchange per line, each of which names its API')
    .action(decode);
  wire
    .command('encode')
    .description("Print the body that a provider would be sent, from a request in Whetstone's format.")
    .argument('[file]', 'the request as JSON; standard input when absent or "-"')
    .requiredOption('--api <name>', `the API that the body is for: ${apiNames.join(', ')}`)
    .option('--model <name>', 'the model, if the request names none')
    .option('--stream', 'ask for a stream')
    .option('--leave-out', 'leave out tools that the provider cannot take, instead of refusing')
    .option('--from <api>', 'the request is the body of this API: read it first')
    .action(encode);
  wire
    .command('read')
    .description("Print a request that was sent to a provider in Whetstone's format.")
    .argument('[file]', 'the body as JSON; standard input when absent or "-"')
    .requiredOption('--api <name>', `whose body it is: ${apiNames.join(', ')}`)
    .action(read);
  return wire;
}

interface EncodeOptions {
  readonly api: string;
  readonly model?: string;
  readonly stream?: boolean;
  readonly leaveOut?: boolean;
  readonly from?: string;
}

/** What could not be said goes to standard error, so that the body can go into a pipe. */
async function encode(file: string | undefined, options: EncodeOptions): Promise<void> {
  const adapter = adapterOf(options.api);
  const given = await readJson(file);
  const asked =
    options.from === undefined ? await readOurs(given) : adapterOf(options.from).readRequest(given);
  const { body, reports } = adapter.writeRequest(asked.request, {
    model: options.model ?? asked.model,
    stream: options.stream ?? asked.stream,
    unfitTools: options.leaveOut ? 'leave-out' : 'refuse',
  });
  if (body['model'] === '')
    console.error('whet: The request names no model, so the body does not either. Give --model NAME.');
  for (const { tool, field, message } of reports)
    console.error(`whet: ${tool ?? field ?? 'request'}: ${message}`);
  console.log(JSON.stringify(body));
}

async function read(file: string | undefined, options: { readonly api: string }): Promise<void> {
  const { request, model, stream } = adapterOf(options.api).readRequest(await readJson(file));
  console.log(JSON.stringify({ ...request, model, stream }));
}

/** A request, with `model` and `stream` next to its own fields. */
async function readOurs(given: JsonObject): Promise<ReadRequest> {
  const { model, stream, ...request } = given;
  // Names the field inside a message that is wrong.
  if (request['messages'] !== undefined) readMessages(request['messages']);
  await loadChecker();
  const issues = checkValue(wordSchema('ModelRequest'), request);
  if (issues.length > 0)
    throw new WhetstoneError(
      'usage',
      `This is not a request in Whetstone's format: ${describeIssues(issues)}`,
    );
  return { request: request as unknown as ModelRequest, model: textOf(model) ?? '', stream: stream === true };
}

async function readJson(file: string | undefined): Promise<JsonObject> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await openInput(file)) pieces.push(piece as Uint8Array);
  const text = Buffer.concat(pieces).toString();
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  const where = file === undefined || file === '-' ? 'What came on standard input' : `The file ${file}`;
  throw new WhetstoneError('usage', `${where} is not a JSON object: ${whyNoObject(text)}.`);
}

function whyNoObject(text: string): string {
  const begins = JSON.stringify(text.trim().slice(0, 40));
  if (text.trim() === '') return 'it is empty';
  if (/^\s*</.test(text)) return `it is a page, ${begins}…`;
  try {
    JSON.parse(text.trim());
    return `it is ${begins}`;
  } catch (error) {
    return (error as Error).message;
  }
}

async function decode(file: string | undefined, options: { api?: string; jsonl?: boolean }): Promise<void> {
  const adapter = options.api === undefined ? undefined : adapterOf(options.api);
  if (options.jsonl) return decodeLines(await openInput(file), options.api);
  if (adapter === undefined)
    throw new WhetstoneError(
      'usage',
      'Whose format is it? Give --api NAME, or --jsonl for records that say it themselves.',
    );
  const input = await openInput(file);
  const pieces: Uint8Array[] = [];
  for await (const piece of input) pieces.push(piece as Uint8Array);
  console.log(JSON.stringify(decodeBody(Buffer.concat(pieces), adapter)));
}

/** A record that cannot be read costs its own line, not the others: it is named on standard error. */
async function decodeLines(input: Readable, api: string | undefined): Promise<void> {
  let number = 0;
  for await (const line of createInterface({ input })) {
    number++;
    if (line.trim() === '') continue;
    const record = parseJson(line);
    try {
      if (!isJsonObject(record))
        throw new WhetstoneError('recording_unreadable', 'The line is not a JSON object.');
      console.log(JSON.stringify(decodeRecord(api === undefined ? record : { ...record, api })));
    } catch (error) {
      const id = isJsonObject(record) ? textOf((record as JsonObject)['id']) : undefined;
      console.error(`whet: line ${number}${id === undefined ? '' : ` (${id})`}: ${(error as Error).message}`);
      process.exitCode = exitCode.no;
    }
  }
}

async function openInput(file: string | undefined): Promise<Readable> {
  if (file === undefined || file === '-') return process.stdin;
  try {
    const stream = (await open(file)).createReadStream();
    return file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream;
  } catch (cause) {
    throw new WhetstoneError('usage', `The file ${file} cannot be opened: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

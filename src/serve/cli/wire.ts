import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { Command } from 'commander';

import { WhetstoneError } from '../../base/host/errors.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { adapterOf, apiNames } from '../../wire/catalog.ts';
import { parseJson, textOf } from '../../wire/json-fields.ts';
import { decodeBody, decodeRecord } from '../../wire/recording.ts';
import { exitCode } from './exit-code.ts';

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
    .option('--jsonl', 'the input has one recorded exchange a line, each of which names its API')
    .action(decode);
  return wire;
}

async function decode(file: string | undefined, options: { api?: string; jsonl?: boolean }): Promise<void> {
  const input = await openInput(file);
  if (options.jsonl) return decodeLines(input, options.api);
  if (options.api === undefined)
    throw new WhetstoneError(
      'usage',
      'Whose format is it? Say --api NAME, or --jsonl for records that say it themselves.',
    );
  const adapter = adapterOf(options.api);
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
        throw new WhetstoneError('recording_unreadable', 'The line is no JSON object.');
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

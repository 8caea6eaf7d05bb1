import { Command, InvalidArgumentError } from 'commander';

import { systemClock } from '../../base/host/clock.ts';
import type { KeyRecord } from '../../grade/store/record.ts';
import { loadCatalog } from '../../grade/scenario/load/catalog.ts';
import { createKey } from '../http/keys.ts';
import { openData, openKept, withData } from '../terminal/option/data-option.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { scenarioFolder } from '../terminal/scenario-folder.ts';

interface CreateOptions {
  readonly data: string;
  readonly name?: string;
  readonly explain?: boolean;
  readonly collections?: readonly string[];
  readonly scenarios?: string;
  /** 0 is none. */
  readonly rate: number;
  readonly maxEpisodes?: number;
  readonly evaluations?: number;
  readonly expiresIn?: number;
}

const day = 86_400_000;

export function command(): Command {
  const keys = new Command('keys')
    .summary('Create, list and revoke the keys of a server')
    .description(
      'Keys of a reward server. A change takes effect at once, also for running servers; once a key has been made, they need one.',
    );
  withData(keys.command('create'))
    .description('Makes a key and prints it. This is the only time that it is shown.')
    .option('--name <name>', 'who or what it is for')
    .option('--explain', 'it may see criteria, facts and reasons: a trainer should not')
    .option('--collections <slugs>', 'only these collections, separated by commas', list)
    .option('--rate <number>', 'requests per minute, or none', rate, 60)
    .option('--max-episodes <number>', 'episodes it may have open at once', whole)
    .option('--evaluations <number>', 'how often it may have one task evaluated', whole)
    .option('--expires-in <days>', 'days until it expires', whole)
    .option(
      '--scenarios <folder>',
      'folder of collections, to look the names up in (default: ./scenarios, else the bundled ones)',
    )
    .action(async (options: CreateOptions) => {
      tellUnknown(options.collections ?? [], options.scenarios);
      await using store = await openData(options.data);
      const now = systemClock.now();
      const { key, record } = await createKey(
        store,
        {
          ...(options.name !== undefined && { name: options.name }),
          explain: options.explain ?? false,
          ...(options.collections && { collections: options.collections }),
          ...(options.rate > 0 && { rateLimit: options.rate }),
          ...(options.maxEpisodes !== undefined && { maxEpisodes: options.maxEpisodes }),
          ...(options.evaluations !== undefined && { maxEvaluations: options.evaluations }),
          ...(options.expiresIn !== undefined && { expiresAt: now + options.expiresIn * day }),
        },
        now,
      );
      console.error('Keep it safe: it is shown only this once.');
      console.log(JSON.stringify({ key, ...writeKey(record) }, undefined, 2));
    });
  withData(keys.command('list'))
    .description('Lists all keys, without their secrets.')
    .action(async ({ data }: { readonly data: string }) => {
      await using store = await openKept(data);
      console.log(JSON.stringify((await store.keys.list()).map(writeKey), undefined, 2));
    });
  withData(keys.command('revoke'))
    .argument('<key_id>', 'as `whet keys list` prints it')
    .description('Revokes a key at once. Its episodes stay.')
    .action(async (id: string, { data }: { readonly data: string }) => {
      await using store = await openKept(data);
      const found = await store.keys.revoke(id, systemClock.now());
      console.error(found ? `${id} is revoked.` : `There is no key ${id}. \`whet keys list\` shows them.`);
      if (!found) process.exitCode = exitCode.no;
    });
  return keys;
}

/** A key may be made before its collection is; a name that was misspelt would open nothing, and say so to nobody. */
function tellUnknown(wanted: readonly string[], scenarios: string | undefined): void {
  if (wanted.length === 0) return;
  const folder = scenarioFolder(scenarios);
  const known = loadCatalog(folder).collections.map(({ slug }) => slug);
  for (const name of wanted.filter((one) => !known.includes(one)))
    console.error(
      `whet: warning: there is no collection "${name}" in ${folder}. Known: ${known.join(', ')}. The key opens it once it is there.`,
    );
}

function writeKey(record: KeyRecord): object {
  const date = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
  return {
    key_id: record.id,
    name: record.name,
    explain: record.explain,
    collections: record.collections === null ? null : (JSON.parse(record.collections) as string[]),
    rate_limit: record.rateLimit,
    max_episodes: record.maxEpisodes,
    max_evaluations: record.maxEvaluations,
    created_at: date(record.createdAt),
    expires_at: date(record.expiresAt),
    revoked_at: date(record.revokedAt),
  };
}

function list(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (names.length === 0) throw new InvalidArgumentError('Name at least one; leave it out for all of them.');
  return names;
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

function rate(text: string): number {
  return text === 'none' ? 0 : whole(text);
}

import type { IncomingMessage } from 'node:http';

import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import type { PlayerCard } from '../../grade/episode/player-card.ts';
import { nameAt, objectAt, requiredNameAt } from './fields.ts';
import { invalid } from './refusal.ts';

const header = 'Whetstone-Player';
/** Characters of a card; more is a prompt, and belongs where its hash points. */
const longest = 8000;

/** Who plays, as a body says: a card, or a name alone. */
export function playerAt(value: unknown, path: string): PlayerCard | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return { name: requiredNameAt(value, path) };
  const fields = objectAt(value, path);
  if (JSON.stringify(fields).length > longest) throw invalid(path, `is longer than ${longest} characters.`);
  const model = nameAt(fields['model'], `${path}.model`);
  const commit = nameAt(fields['commit'], `${path}.commit`);
  const parameters = fields['parameters'] ?? undefined;
  const labels = fields['labels'] ?? undefined;
  return {
    name: requiredNameAt(fields['name'], `${path}.name`),
    ...(model !== undefined && { model }),
    ...(parameters !== undefined && { parameters: objectAt(parameters, `${path}.parameters`) }),
    ...(commit !== undefined && { commit }),
    ...(labels !== undefined && { labels: labelsAt(labels, `${path}.labels`) }),
  };
}

/** Who plays, as the header says that every protocol takes: a card in JSON, or a name alone. */
export function playerIn({ headers }: IncomingMessage): PlayerCard | undefined {
  const written = headers['whetstone-player'];
  const text = Array.isArray(written) ? written[0] : written;
  if (text === undefined) return undefined;
  return playerAt(text.trimStart().startsWith('{') ? cardIn(text) : text, header);
}

function cardIn(text: string): JsonObject {
  try {
    // Node reads headers as Latin-1; what was sent is UTF-8.
    const value: unknown = JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // Told below.
  }
  throw invalid(header, 'must be a name, or an object in JSON.');
}

function labelsAt(value: unknown, path: string): Readonly<Record<string, string>> {
  const labels = objectAt(value, path);
  return Object.fromEntries(
    Object.entries(labels).map(([name, label]) => [name, requiredNameAt(label, `${path}.${name}`)]),
  );
}

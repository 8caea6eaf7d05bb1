import type { IncomingMessage } from 'node:http';

import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import type { PlayerCard } from '../../grade/episode/player-card.ts';
import { Player } from '../api/player.ts';
import { bodyReader } from './read-body.ts';
import { invalid } from './refusal.ts';

const header = 'Whetstone-Player';
/** Characters of a card; more is a prompt, and belongs where its hash points. */
const longest = 8000;

const readPlayer = bodyReader(Player);

/** Who plays, as the header says that every protocol takes: a card in JSON, or a name alone. */
export function playerIn({ headers }: IncomingMessage): PlayerCard | undefined {
  const written = headers['whetstone-player'];
  const text = Array.isArray(written) ? written[0] : written;
  return text === undefined
    ? undefined
    : playerOf(readPlayer(text.trimStart().startsWith('{') ? cardIn(text) : text, header), header);
}

/** The card of who plays, as a body says: a card, or a name alone. */
export function playerOf(player: PlayerCard | string, path: string): PlayerCard {
  const card = typeof player === 'string' ? { name: player } : player;
  if (JSON.stringify(card).length > longest) throw invalid(path, `is longer than ${longest} characters.`);
  return card;
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

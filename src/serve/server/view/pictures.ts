import type { Log } from '../../../eval/exchange/log/log.ts';
import type { EpisodeDetail } from '../../api/episode.ts';
import type { EpisodeTurn } from '../../api/turn.ts';
import type { ResultImage } from '../../api/message.ts';

/** Pictures by what a log names them. */
export type PictureReader = NonNullable<Log['picture']>;

/** So much of pictures goes into an episode that is read whole; the others keep their names there. */
const mostInside = 20_000_000;

/** A turn in whose results each picture is said by the address that `picturePath` has a place for. */
export function withAddresses(turn: EpisodeTurn, episode: string): EpisodeTurn {
  if (!turn.results?.some(({ images }) => images !== undefined)) return turn;
  const results = turn.results.map((result, place) => {
    const images = result.images?.map(({ media_type: type }, image) => ({
      media_type: type,
      href: `/pictures/${encodeURIComponent(episode)}/${turn.turn}/${place}/${image}`,
    }));
    return images === undefined ? result : { ...result, images };
  });
  return { ...turn, results };
}

export const picturePath = '/pictures/:episode/:turn/:result/:image';

/** An episode that has its pictures inside, as far as they fit. */
export async function withPictures(
  detail: EpisodeDetail,
  read: PictureReader | undefined,
): Promise<EpisodeDetail> {
  if (read === undefined) return detail;
  let left = mostInside;
  const inside = async (image: ResultImage): Promise<ResultImage> => {
    const bytes = left > 0 ? await bytesOf(image, read).catch(() => undefined) : undefined;
    if (bytes === undefined) return image;
    left -= bytes.length;
    return { ...image, href: `data:${image.media_type};base64,${bytes.toString('base64')}` };
  };
  const turns: EpisodeTurn[] = [];
  for (const turn of detail.turns) {
    const results = [];
    for (const { images, ...result } of turn.results ?? []) {
      const held = [];
      for (const image of images ?? []) held.push(await inside(image));
      results.push({ ...result, ...(images !== undefined && { images: held }) });
    }
    turns.push({ ...turn, ...(turn.results !== undefined && { results }) });
  }
  return { ...detail, turns };
}

/** The bytes of a picture that a log has in it, or names. */
export async function bytesOf(
  { href }: ResultImage,
  read: PictureReader | undefined,
): Promise<Buffer | undefined> {
  const begin = href.indexOf(';base64,');
  if (href.startsWith('data:') && begin > 0) return Buffer.from(href.slice(begin + 8), 'base64');
  return read?.(href);
}

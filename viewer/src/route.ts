/** What an address such as `#/episodes/ep_1` names. */
export type Route =
  | { readonly page: 'episodes'; readonly group: string | undefined }
  | { readonly page: 'episode'; readonly episode: string }
  | { readonly page: 'scenarios' };

export function readRoute(hash: string = location.hash): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first, second] = path.split('/');
  if (first === 'scenarios') return { page: 'scenarios' };
  if (first === 'episodes' && second) return { page: 'episode', episode: decodeURIComponent(second) };
  return { page: 'episodes', group: new URLSearchParams(query).get('group') ?? undefined };
}

export function episodeAddress(episode: string): string {
  return `#/episodes/${encodeURIComponent(episode)}`;
}

export function groupAddress(group: string): string {
  return `#/?group=${encodeURIComponent(group)}`;
}

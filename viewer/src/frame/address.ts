/** An address such as `#/episodes/ep_1?tab=facts`: the path's parts, and all the state of a view. */
export interface Address {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function readAddress(hash: string = location.hash): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** What somebody typed may be no escape at all: it is then shown as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a view; what has no value is left out. */
export function addressOf(
  path: readonly string[],
  query: Readonly<Record<string, string | number | readonly string[] | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value)
      ? (value as readonly string[])
      : [value as string | number | undefined];
    for (const one of values) if (one !== undefined && one !== '') search.append(name, String(one));
  }
  return `#/${path.map(encodeURIComponent).join('/')}${search.size > 0 ? `?${search}` : ''}`;
}

export function episodeAddress(
  episode: string,
  query: { readonly tab?: string; readonly turn?: number } = {},
): string {
  return addressOf(['episodes', episode], query);
}

/** Changes what is asked of the view that is open; its place in the history stays. */
export function changeQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = readAddress();
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const names = Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
  history.replaceState(history.state, '', addressOf(path, names));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

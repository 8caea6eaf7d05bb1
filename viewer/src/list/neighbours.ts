/** The list that was last on the page: the arrows of an episode lead through it. */
let listed: readonly string[] = [];

export function rememberList(episodes: readonly string[]): void {
  listed = episodes;
}

export function neighbours(episode: string): {
  readonly before: string | undefined;
  readonly after: string | undefined;
} {
  const at = listed.indexOf(episode);
  return at < 0 ? { before: undefined, after: undefined } : { before: listed[at - 1], after: listed[at + 1] };
}

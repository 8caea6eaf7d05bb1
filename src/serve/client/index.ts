export { connect } from './client.ts';
export type { Client, ClientOptions, RequestOptions } from './client.ts';
export { playEpisode, playFork } from './play-episode.ts';
export type { Player, PlayOptions } from './play-episode.ts';

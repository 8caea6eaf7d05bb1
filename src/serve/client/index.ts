export { connect } from './client.ts';
export type { Client, ClientOptions, RequestOptions } from './client.ts';

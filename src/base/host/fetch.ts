export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The only door to the network for clients; tests and users pass their own in its place. */
export const platformFetch: Fetch = (input, init) => globalThis.fetch(input, init);

import type { Endpoint } from './endpoint.ts';

/** The endpoints at one path, by their methods, and what stands in the path for its parameters. */
export interface Found {
  readonly methods: ReadonlyMap<string, Endpoint>;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Finds endpoints by their paths: the parts of a path are compared one by one, so no path can match a longer one. */
export function routesOf(endpoints: readonly Endpoint[]): (path: string) => Found | undefined {
  const patterns = new Map<
    string,
    { readonly parts: readonly string[]; readonly methods: Map<string, Endpoint> }
  >();
  for (const endpoint of endpoints) {
    const known = patterns.get(endpoint.path) ?? { parts: endpoint.path.split('/'), methods: new Map() };
    known.methods.set(endpoint.method, endpoint);
    patterns.set(endpoint.path, known);
  }
  const all = [...patterns.values()];
  return (path) => {
    const parts = path.split('/');
    const found = all.find(
      (pattern) =>
        pattern.parts.length === parts.length &&
        pattern.parts.every((part, index) =>
          part.startsWith(':') ? parts[index] !== '' : part === parts[index],
        ),
    );
    if (found === undefined) return undefined;
    const parameters = new Map<string, string>();
    for (const [index, part] of found.parts.entries())
      if (part.startsWith(':')) parameters.set(part.slice(1), decode(parts[index] ?? ''));
    return { methods: found.methods, parameters };
  };
}

function decode(part: string): string {
  if (!part.includes('%')) return part;
  try {
    const text = decodeURIComponent(part);
    // Nothing has such a name, and not every store can be asked for it.
    return text.includes('\0') ? part : text;
  } catch {
    return part;
  }
}

import { toolNames } from '../../../base/schema/name.ts';

/**
 * Names for the tools of several servers: `<server>_<tool>` where every provider takes that and nothing else has it,
 * else a form with a hash. A name that was given stays, however the lists change.
 */
export class ToolNames {
  readonly #given = new Map<string, string>();

  nameOf(server: string, tool: string): string {
    const key = JSON.stringify([server, tool]);
    const known = this.#given.get(key);
    if (known !== undefined) return known;
    const full = `${server}_${tool}`;
    // Bedrock's rules are the narrowest: what fits them is a name everywhere.
    const name = toolNames([full], 'bedrock', { reserved: [...this.#given.values()] }).toWire(full);
    this.#given.set(key, name);
    return name;
  }
}

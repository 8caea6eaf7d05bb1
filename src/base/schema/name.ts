import { WhetstoneError } from '../host/errors.ts';
import { show } from '../host/show.ts';
import { sha256 } from '../json/sha256.ts';

/** Whose rules for names and ids hold. */
export type NameRules = 'openai' | 'anthropic' | 'gemini' | 'bedrock' | 'mistral' | 'cohere' | 'ollama';

/** A mapping that is one to one: of a name to the wire, and of a wire name back. */
export interface NameMap {
  readonly toWire: (name: string) => string;
  /** The name that was mapped; a name that never was (a model made it up) as it is. */
  readonly fromWire: (wire: string) => string;
}

export interface NameOptions {
  /** Names that this request must not use: those of the provider's own tools next to ours. */
  readonly reserved?: readonly string[];
}

/**
 * The names of the tools of one request as a provider takes them. A legal name stays; another is written with
 * `_` for what is not allowed, and eight digits of its hash, so that no two meet. The same names always give the
 * same wire names.
 */
export function toolNames(names: readonly string[], rules: NameRules, options: NameOptions = {}): NameMap {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new WhetstoneError('schema_input', `Tool names are a list of texts; this is ${show(names)}.`, {
      details: { names },
    });
  knownRules(rules, toolName);
  const reserved = new Set(options?.reserved);
  const legal = (name: string): boolean => toolName[rules].test(name) && !reserved.has(name);
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined)
    throw new WhetstoneError('tool_name_taken', `Two tools are called "${doubled}". Rename one of them.`, {
      details: { name: doubled },
    });
  const map = new Mapping();
  for (const name of names) if (legal(name)) map.set(name, name);
  for (const name of names)
    if (!legal(name))
      map.add(
        name,
        (salt) => portableName(name, salt),
        (wire) => !reserved.has(wire),
      );
  if (rules !== 'gemini') return map;
  return {
    toWire: map.toWire,
    fromWire: (wire) => {
      const bare = wire.replace(/^[a-z_]+:/, '');
      return !map.has(wire) && map.has(bare) ? map.fromWire(bare) : map.fromWire(wire);
    },
  };
}

/** What each API takes as the name of a tool. */
const toolName: Readonly<Record<NameRules, RegExp>> = {
  openai: /^[A-Za-z0-9_-]{1,64}$/,
  anthropic: /^[A-Za-z0-9_-]{1,128}$/,
  gemini: /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  bedrock: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
  mistral: /^[A-Za-z0-9_-]{1,64}$/,
  cohere: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  ollama: /^[A-Za-z0-9_-]{1,64}$/,
};

function knownRules(rules: NameRules, table: Readonly<Record<NameRules, RegExp>>): void {
  if (typeof rules === 'string' && Object.hasOwn(table, rules)) return;
  const known = Object.keys(table).join(', ');
  throw new WhetstoneError(
    'schema_input',
    `${show(rules)} is not a known set of rules for tool names. Known: ${known}.`,
    {
      details: { rules, known: Object.keys(table) },
    },
  );
}

/** Legal everywhere: at most 55 characters of the name, and 8 of its hash. */
function portableName(name: string, salt: string): string {
  const clean = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z])/, 't_');
  return `${clean.slice(0, 55)}_${sha256(name + salt).slice(0, 8)}`;
}

/**
 * Call ids of one history as a provider takes them: an id that is legal there stays. The mapping only depends on
 * the ids in the order in which they come, so that a history that grows keeps its ids (and its cached prefix).
 */
export function callIds(rules: NameRules): NameMap {
  knownRules(rules, callId);
  const map = new Mapping();
  const legal = callId[rules];
  const make = (id: string) => (salt: string) =>
    rules === 'mistral' ? sha256(id + salt).slice(0, 9) : `call_${sha256(id + salt).slice(0, 24)}`;
  return {
    toWire: (id) => {
      if (!map.knows(id)) {
        if (legal.test(id) && !map.has(id)) map.set(id, id);
        else map.add(id, make(id), () => true);
      }
      return map.toWire(id);
    },
    fromWire: map.fromWire,
  };
}

const callId: Readonly<Record<NameRules, RegExp>> = {
  openai: /^[^]{1,40}$/,
  anthropic: /^[A-Za-z0-9_-]+$/,
  gemini: /^[^]+$/,
  bedrock: /^[A-Za-z0-9_-]{1,64}$/,
  mistral: /^[A-Za-z0-9]{9}$/,
  cohere: /^[^]+$/,
  ollama: /^[^]+$/,
};

class Mapping implements NameMap {
  readonly #wires = new Map<string, string>();
  readonly #names = new Map<string, string>();

  readonly toWire = (name: string): string => this.#wires.get(name) ?? name;
  readonly fromWire = (wire: string): string => this.#names.get(wire) ?? wire;

  has(wire: string): boolean {
    return this.#names.has(wire);
  }

  knows(name: string): boolean {
    return this.#wires.has(name);
  }

  set(name: string, wire: string): void {
    this.#wires.set(name, wire);
    this.#names.set(wire, name);
  }

  /** Takes the first form that is still free: hashes can meet, names must not. */
  add(name: string, make: (salt: string) => string, allowed: (wire: string) => boolean): void {
    for (let round = 0; ; round++) {
      const wire = make(round === 0 ? '' : `#${round}`);
      if (this.has(wire) || !allowed(wire)) continue;
      this.set(name, wire);
      return;
    }
  }
}

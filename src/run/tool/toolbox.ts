import { WhetstoneError } from '../../base/host/errors.ts';
import type { Call } from '../../base/message/call.ts';
import type { ToolSpec } from '../../base/message/model.ts';
import type { AnyTool, Availability } from './contract.ts';
import { prepareTool } from './prepare-tool.ts';
import type { PreparedTool } from './prepare-tool.ts';

/** Tools under their names: no name twice, found at once. Never changes; `only`, `without` and `with` make new ones. */
export interface Toolbox {
  readonly names: readonly string[];
  /** What models are told: the same array as long as the box is the same, so that it is encoded once. */
  readonly specs: readonly ToolSpec[];
  readonly size: number;
  /** Some tool decides by itself whether it is there. */
  readonly varies: boolean;
  find(name: string): PreparedTool | undefined;
  /** The tool that a call means. Some providers name a call on a computer by what it does, not by the tool. */
  findFor(call: Call): PreparedTool | undefined;
  only(...names: readonly string[]): Toolbox;
  without(...names: readonly string[]): Toolbox;
  with(...more: readonly ToolSource[]): Toolbox;
  /** The tools that are available now. The same box where all are. `ask` may be around what each answers. */
  available(at: Availability, ask?: AskAvailable): Toolbox | Promise<Toolbox>;
  [Symbol.iterator](): Iterator<PreparedTool>;
}

/** Waits for a tool that was asked whether it is available, and decides about one that throws or never answers. */
export type AskAvailable = (name: string, answer: Promise<boolean>) => Promise<boolean>;

const asIs: AskAvailable = (_name, answer) => answer;

/** What a toolbox is made of: tools, other boxes, lists of both. */
export type ToolSource = AnyTool | Toolbox | readonly ToolSource[];

/**
 * Puts tools in a box. Throws where two have one name.
 * @example toolbox(weather, searchTools, [read, write])
 */
export function toolbox(...sources: readonly ToolSource[]): Toolbox {
  const [only] = sources;
  if (sources.length === 1 && only instanceof Box) return only;
  const byName = new Map<string, PreparedTool>();
  collect(sources, byName);
  return new Box(byName);
}

/** Whether something from outside, such as a module's export, is a toolbox. */
export function isToolbox(value: unknown): value is Toolbox {
  return value instanceof Box;
}

function collect(sources: readonly ToolSource[], byName: Map<string, PreparedTool>): void {
  for (const source of sources) {
    if (source instanceof Box) for (const tool of source) add(tool, byName);
    else if (isList(source)) collect(source, byName);
    else add(prepareTool(source as AnyTool), byName);
  }
}

function isList(source: ToolSource): source is readonly ToolSource[] {
  return Array.isArray(source);
}

function add(tool: PreparedTool, byName: Map<string, PreparedTool>): void {
  const known = byName.get(tool.name);
  if (known?.tool === tool.tool) return;
  if (known !== undefined) {
    throw new WhetstoneError(
      'tool_duplicate',
      `Two tools are called "${tool.name}". Rename one, or leave it out with \`without("${tool.name}")\`: a model could not tell them apart.`,
      { details: { name: tool.name } },
    );
  }
  byName.set(tool.name, tool);
}

class Box implements Toolbox {
  readonly #byName: ReadonlyMap<string, PreparedTool>;
  readonly names: readonly string[];
  readonly specs: readonly ToolSpec[];
  readonly varies: boolean;

  constructor(byName: ReadonlyMap<string, PreparedTool>) {
    this.#byName = byName;
    this.names = [...byName.keys()];
    const tools = [...byName.values()];
    this.specs = tools.map((tool) => tool.spec);
    this.varies = tools.some((tool) => tool.tool.isAvailable !== undefined);
  }

  get size(): number {
    return this.names.length;
  }

  find(name: string): PreparedTool | undefined {
    return this.#byName.get(name);
  }

  findFor(call: Call): PreparedTool | undefined {
    const named = this.find(call.name);
    if (named !== undefined || call.kind !== 'computer') return named;
    return [...this].find(({ spec, runs }) => spec.kind === 'hosted' && runs === 'here');
  }

  only(...names: readonly string[]): Toolbox {
    for (const name of names) this.#mustKnow(name);
    const wanted = new Set(names);
    return this.#filter((tool) => wanted.has(tool.name));
  }

  without(...names: readonly string[]): Toolbox {
    for (const name of names) this.#mustKnow(name);
    const unwanted = new Set(names);
    return this.#filter((tool) => !unwanted.has(tool.name));
  }

  with(...more: readonly ToolSource[]): Toolbox {
    return toolbox(this, ...more);
  }

  available(at: Availability, ask: AskAvailable = asIs): Toolbox | Promise<Toolbox> {
    return this.varies ? this.#askEach(at, ask) : this;
  }

  [Symbol.iterator](): Iterator<PreparedTool> {
    return this.#byName.values();
  }

  async #askEach(at: Availability, ask: AskAvailable): Promise<Toolbox> {
    const answers = await Promise.all(
      [...this].map(async ({ tool, name }) => {
        if (tool.isAvailable === undefined) return true;
        return ask(name, (async () => (await tool.isAvailable?.(at)) === true)());
      }),
    );
    const there = new Set(this.names.filter((_, index) => answers[index] === true));
    return there.size === this.size ? this : this.#filter((tool) => there.has(tool.name));
  }

  #filter(keep: (tool: PreparedTool) => boolean): Toolbox {
    return new Box(new Map([...this.#byName].filter(([, tool]) => keep(tool))));
  }

  #mustKnow(name: string): void {
    if (this.#byName.has(name)) return;
    throw new WhetstoneError(
      'tool_unknown',
      `There is no tool "${name}" in this toolbox. Known: ${this.names.join(', ') || 'none'}.`,
      { details: { name, known: this.names } },
    );
  }
}

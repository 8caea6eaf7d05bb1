import type {
  Model,
  ModelCallOptions,
  ModelRequest,
  ToolChoice,
  ToolSpec,
} from '../../../base/message/model.ts';
import { toolbox } from '../../tool/toolbox.ts';
import type { Toolbox, ToolSource } from '../../tool/toolbox.ts';
import type { RunOptions } from '../option/options.ts';

export interface BindOptions {
  readonly toolChoice?: ToolChoice;
  /** False: one call at most in a reply. */
  readonly parallelCalls?: boolean;
  /** For tools that do not say it themselves. */
  readonly strict?: boolean;
}

/** A model that is asked with these tools every time. */
export interface BoundModel extends Model {
  readonly tools: Toolbox;
  readonly toolChoice?: ToolChoice;
}

/**
 * Gives tools to a model once: each request carries them, and `run({ model: bound, … })` runs them.
 * @example const bound = bind(model, [weather], { toolChoice: 'required', parallelCalls: false });
 */
export function bind(model: Model, tools: ToolSource, options: BindOptions = {}): BoundModel {
  const box = toolbox(tools);
  const { toolChoice, parallelCalls, strict } = options;
  const tell = strict === undefined ? (specs: readonly ToolSpec[]) => specs : strictly(box, strict);
  const complete = (request: ModelRequest): ModelRequest => {
    // A run sends the tools it offers now, which may be none; they are told as they are bound.
    const specs = tell(request.tools ?? box.specs);
    return {
      ...(toolChoice !== undefined && specs.length > 0 && { toolChoice }),
      ...(parallelCalls !== undefined && { parallelCalls }),
      ...request,
      tools: specs,
    };
  };
  return {
    name: model.name,
    api: model.api,
    capabilities: model.capabilities,
    tools: box,
    ...(toolChoice !== undefined && { toolChoice }),
    generate: (request: ModelRequest, call?: ModelCallOptions) => model.generate(complete(request), call),
    stream: (request: ModelRequest, call?: ModelCallOptions) => model.stream(complete(request), call),
  };
}

/** Says how strict the tools of a box are; other tools stay as they are. The same tools give the same array. */
function strictly(box: Toolbox, strict: boolean): (specs: readonly ToolSpec[]) => readonly ToolSpec[] {
  const told = new Map<ToolSpec, ToolSpec>();
  for (const spec of box.specs)
    if (spec.kind === 'function' && spec.strict === undefined) told.set(spec, { ...spec, strict });
  const known = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>();
  return (specs) => {
    const before = known.get(specs);
    if (before !== undefined) return before;
    const made = specs.map((spec) => told.get(spec) ?? spec);
    known.set(specs, made);
    return made;
  };
}

/** The tools that a model was bound to. */
export function toolsOf(model: Model): Toolbox | undefined {
  return (model as Partial<BoundModel>).tools;
}

/** The choice that a run makes of its tools: its own, or the one its model was bound with. */
export function choiceOf(options: RunOptions): ToolChoice | undefined {
  return options.toolChoice ?? (options.model as Partial<BoundModel>).toolChoice;
}

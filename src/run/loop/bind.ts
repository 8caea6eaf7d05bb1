import type { Model, ModelCallOptions, ModelRequest, ToolChoice } from '../../base/message/model.ts';
import { toolbox } from '../tool/toolbox.ts';
import type { Toolbox, ToolSource } from '../tool/toolbox.ts';

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
}

/**
 * Gives tools to a model once: each request carries them, and `run({ model: bound, … })` runs them.
 * @example const bound = bind(model, [weather], { toolChoice: 'required', parallelCalls: false });
 */
export function bind(model: Model, tools: ToolSource, options: BindOptions = {}): BoundModel {
  const box = toolbox(tools);
  const { toolChoice, parallelCalls, strict } = options;
  const specs =
    strict === undefined
      ? box.specs
      : box.specs.map((spec) =>
          spec.kind === 'function' && spec.strict === undefined ? { ...spec, strict } : spec,
        );
  const complete = (request: ModelRequest): ModelRequest => ({
    ...(toolChoice !== undefined && { toolChoice }),
    ...(parallelCalls !== undefined && { parallelCalls }),
    ...request,
    // A run sends the tools it offers now; they are told as they are bound.
    tools: request.tools === undefined || request.tools === box.specs ? specs : request.tools,
  });
  return {
    name: model.name,
    api: model.api,
    capabilities: model.capabilities,
    tools: box,
    generate: (request: ModelRequest, call?: ModelCallOptions) => model.generate(complete(request), call),
    stream: (request: ModelRequest, call?: ModelCallOptions) => model.stream(complete(request), call),
  };
}

/** The tools that a model was bound to. */
export function toolsOf(model: Model): Toolbox | undefined {
  return (model as Partial<BoundModel>).tools;
}

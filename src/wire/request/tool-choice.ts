import { WhetstoneError } from '../../base/host/errors.ts';
import type { ModelRequest, ToolChoice, ToolSpec } from '../../base/message/model.ts';
import type { RequestReport } from '../adapter.ts';

/** Which choices an API can say itself; the others are brought about by the tools that are sent. */
export interface ChoiceAbilities {
  readonly none: boolean;
  readonly required: boolean;
  readonly named: boolean;
  readonly allowed: boolean;
  /** The model takes no forced call, and always the same tools: it can only be asked to choose among all of them. */
  readonly fixedTools?: boolean;
}

export interface ChosenTools {
  readonly tools: readonly ToolSpec[];
  /** What is left to say; absent: nothing, the API's own default does it. */
  readonly choice?: ToolChoice;
  readonly reports: readonly RequestReport[];
}

/** The tools to send and the choice to say, so that an API without a word for a choice still obeys it. */
export function chooseTools(request: ModelRequest, abilities: ChoiceAbilities): ChosenTools {
  const tools = request.tools ?? [];
  const choice = request.toolChoice;
  if (choice === undefined || tools.length === 0) return { tools, reports: [] };
  checkNames(choice, tools);
  return emulate(tools, choice, abilities);
}

function emulate(tools: readonly ToolSpec[], choice: ToolChoice, can: ChoiceAbilities): ChosenTools {
  if (choice === 'auto') return { tools, choice, reports: [] };
  if (can.fixedTools === true && choice !== 'none') {
    const message = 'This model chooses freely among all tools; the choice "auto" is sent.';
    return { tools, choice: 'auto', reports: [{ field: 'toolChoice', message }] };
  }
  if (choice === 'none') {
    if (can.none) return { tools, choice, reports: [] };
    return { tools: [], reports: [report('none', 'the tools are not sent')] };
  }
  if (choice === 'required') {
    if (can.required) return { tools, choice, reports: [] };
    return { tools, choice: 'auto', reports: [report('required', '"auto" is sent in its place')] };
  }
  if ('allowed' in choice) {
    if (can.allowed) return { tools, choice, reports: [] };
    const left = tools.filter((tool) => choice.allowed.includes(tool.name));
    return emulate(left, choice.mode, can);
  }
  if (can.named) return { tools, choice, reports: [] };
  const {
    tools: only,
    choice: said,
    reports,
  } = emulate(
    tools.filter((tool) => tool.name === choice.name),
    'required',
    can,
  );
  return { tools: only, ...(said === undefined ? {} : { choice: said }), reports };
}

function report(choice: string, instead: string): RequestReport {
  return { field: 'toolChoice', message: `This API has no tool choice "${choice}"; ${instead}.` };
}

function checkNames(choice: ToolChoice, tools: readonly ToolSpec[]): void {
  const names = typeof choice === 'string' ? [] : 'name' in choice ? [choice.name] : choice.allowed;
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name));
  if (unknown === undefined) return;
  const known = tools.map((tool) => tool.name).join(', ');
  throw new WhetstoneError(
    'tool_choice_unknown',
    `The tool choice names "${unknown}", which is not among the tools of this request: ${known}.`,
    { details: { name: unknown } },
  );
}

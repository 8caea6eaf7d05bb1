import type { ModelRequest, ToolChoice } from '../../base/message/model.ts';
import type { RequestReport, WriteOptions } from '../adapter.ts';
import { bindTools } from './bind-tools.ts';
import type { BindOptions, ToolBinding } from './bind-tools.ts';
import { chooseTools } from './tool-choice.ts';
import type { ChoiceAbilities } from './tool-choice.ts';

/** What an API takes of tools, and which choices among them it can say. */
export interface OfferRules extends Omit<BindOptions, 'unfitTools'> {
  readonly can: ChoiceAbilities;
}

export interface OfferedTools {
  readonly tools: ToolBinding;
  readonly hasTools: boolean;
  /** What is left to say of the choice; absent: nothing, the API's own default does it. */
  readonly choice: ToolChoice | undefined;
  readonly reports: readonly RequestReport[];
}

/** The tools of a request as its API is shown them. */
export function offerTools(
  request: ModelRequest,
  { unfitTools }: Pick<WriteOptions, 'unfitTools'>,
  rules: OfferRules,
): OfferedTools {
  const chosen = chooseTools(request, rules.can);
  const tools = bindTools(chosen.tools, { ...rules, unfitTools });
  return {
    tools,
    hasTools: tools.tools.length > 0,
    choice: chosen.choice,
    reports: [...chosen.reports, ...tools.reports],
  };
}

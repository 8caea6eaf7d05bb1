import { requireText } from '../python/field.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { PlayedTask } from '../seat/playable.ts';
import type { Heard, Seat, SpeakerTool } from '../seat/speaker.ts';
import type { Domain } from './folder.ts';
import { beginTask } from './grade.ts';
import { argumentsOf, dictOf, messageOf, mostErrors, mostSteps, saying, stops, toolsOf } from './message.ts';
import { spokenTools } from './spoken/domains.ts';
import { readTask } from './task.ts';

/** What one who is alone calls when all is done. */
export const doneTool: SpeakerTool = {
  name: 'done',
  description: 'Call this, and nothing beside it, when the ticket is solved or cannot be.',
  input: { type: 'object', properties: {} },
};

/**
 * A task with nobody to talk to: the agent is given a ticket, and has the customer's tools, too. Its `done` is recorded as
 * the benchmark records it, as words.
 */
export async function playSolo(
  domainName: string,
  domain: Domain,
  { task, seat }: { readonly task: PythonDict; readonly seat: Seat },
): Promise<Pick<PlayedTask, 'turns'> & { readonly reason: string; readonly messages: PythonValue[] }> {
  const { agent: own, user } = spokenTools[domainName]!;
  const environment = domain.start({ name: 'played', isSolo: true });
  beginTask(environment, readTask(task));
  const agent = seat({
    system: soloPrompt(domain.policy({ isSolo: true })),
    tools: [...toolsOf({ ...user, ...own }), doneTool],
  });
  const messages: PythonValue[] = [];
  let heard: Heard = { words: `<ticket>\n${requireText(task.get('ticket'), 'task.ticket')}\n</ticket>` };
  let errors = 0;
  let turns = 0;
  const end = (reason: string) => ({ turns, reason, messages });
  try {
    for (let step = 1; step <= mostSteps; step += 2) {
      turns += 1;
      const said = await agent.next(heard);
      if (said === undefined) return end('agent_error');
      if (said.calls.some((call) => call.name === doneTool.name)) {
        messages.push(messageOf('assistant', saying(stops[0]!)));
        return end('agent_stop');
      }
      messages.push(messageOf('assistant', said));
      const results = said.calls.map((call) => {
        const kwargs = argumentsOf(call);
        const { content, error } =
          kwargs === undefined
            ? { content: 'Error: the arguments are not a JSON object', error: true }
            : environment.respond({ name: call.name, requestor: 'assistant', kwargs });
        if (error) errors += 1;
        messages.push(dictOf({ id: call.id, role: 'tool', content, requestor: 'assistant', error }));
        return content;
      });
      // Words that nobody hears count as an error, so that one who only talks comes to an end.
      if (results.length === 0) errors += 1;
      if (errors >= mostErrors) return end('too_many_errors');
      heard = results.length > 0 ? { results } : { words: 'Nobody reads this: call a tool, or done.' };
    }
    return end('max_steps');
  } finally {
    agent.end?.();
  }
}

function soloPrompt(policy: string): string {
  return `You are an agent of a company and solve its customers' tickets, by the policy below. You cannot talk to the customer: you call tools, also those of the customer's own, and when the ticket is solved you call done and nothing beside it. Do only what the policy allows.

<policy>
${policy}
</policy>`;
}

import type { EpisodeTurn } from '../../../src/serve/api/turn.ts';
import type { CallNote, ExpectedCallView, VoiceView } from '../../../src/serve/api/explanation.ts';
import type { EpisodeTool } from '../../../src/serve/api/message.ts';
import { rewardText } from '../chart/reward.tsx';
import { Words } from '../text/words.tsx';
import { CallCard } from './call-card.tsx';

interface TurnViewProps {
  /** What its id begins with, where several episodes are on the page. */
  readonly anchor?: string;
  readonly turn: EpisodeTurn;
  readonly tools: readonly EpisodeTool[];
  /** Of this turn. */
  readonly notes: readonly CallNote[];
  readonly expected: readonly ExpectedCallView[];
  /** Who spoke for the person, where it was not the rules. */
  readonly voice: VoiceView | undefined;
  /** The facts that came out in it. */
  readonly found: readonly string[];
  readonly shown: boolean;
  readonly onFork: ((turn: number) => void) | undefined;
}

/** One exchange: what the model said and called, and what the person answered. */
export function TurnView({
  anchor = 'turn',
  turn,
  tools,
  notes,
  expected,
  voice,
  found,
  shown,
  onFork,
}: TurnViewProps) {
  // Notes and results count the calls of a turn over all its messages.
  let before = 0;
  return (
    <section class={shown ? 'turn shown' : 'turn'} id={`${anchor}-${turn.turn}`} tabIndex={-1} data-step>
      <header>
        <h2>Turn {turn.turn}</h2>
        {turn.scores !== undefined && <span class="quiet small">reward {rewardText(turn.reward)}</span>}
        {found.length > 0 && (
          <span class="good small">
            ✓ {found.length === 1 ? '1 fact' : `${found.length} facts`}: {found.join(', ')}
          </span>
        )}
        {onFork && (
          <button class="link small fork" type="button" onClick={() => onFork(turn.turn - 1)}>
            Fork before this turn
          </button>
        )}
      </header>
      {turn.messages.map((message, place) => {
        const first = before;
        before += message.tool_calls?.length ?? 0;
        return (
          <div key={place} class={message.role === 'user' ? 'said copy' : 'said model'}>
            {(message.content !== '' || place === 0) && (
              <Speech who={message.role === 'user' ? 'Person (copy)' : 'Model'} text={message.content} />
            )}
            {message.tool_calls?.map((call, index) => (
              <CallCard
                key={index}
                call={call}
                tool={tools.find((tool) => tool.id === call.name)}
                note={notes.find((note) => note.call === first + index)}
                result={turn.results?.[first + index]}
                expected={expected.find((one) => one.index === first + index)}
              />
            ))}
          </div>
        );
      })}
      {turn.observation.content !== '' && (
        <div class="said person">
          <Speech who="Person" text={turn.observation.content} />
          {voice && <Voice voice={voice} />}
        </div>
      )}
    </section>
  );
}

/** Whose words these are, and what was not let through before them. */
function Voice({ voice: { by, refused = [], fault } }: { readonly voice: VoiceView }) {
  return (
    <div class="small quiet">
      <p>{fault === undefined ? `Said by ${by}.` : `Said by the rules: ${fault}`}</p>
      {refused.length > 0 && (
        <details>
          <summary>
            {refused.length === 1 ? 'One answer was refused' : `${refused.length} answers were refused`}
          </summary>
          <ul>
            {refused.map(({ said, why }, index) => (
              <li key={index}>
                <q>{said}</q> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Speech({ who, text }: { readonly who: string; readonly text: string }) {
  return (
    <>
      <p class="speaker">{who}</p>
      {text === '' ? null : <Words text={text} />}
    </>
  );
}

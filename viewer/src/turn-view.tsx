import type { CallNote, EpisodeTurn, VoiceView } from '../../src/serve/api/episode.ts';
import type { EpisodeTool, Message } from '../../src/serve/api/message.ts';
import { CallCard } from './call-card.tsx';

interface TurnViewProps {
  readonly turn: EpisodeTurn;
  readonly tools: readonly EpisodeTool[];
  readonly notes: readonly CallNote[];
  /** Who spoke for the person, where it was not the rules. */
  readonly voice: VoiceView | undefined;
  readonly shown: boolean;
}

/** One exchange: what the model said and called, and what the person answered. */
export function TurnView({ turn, tools, notes, voice, shown }: TurnViewProps) {
  // Notes and results count the calls of a turn over all its messages.
  let before = 0;
  return (
    <section class={shown ? 'turn shown' : 'turn'} id={turnAnchor(turn.turn)}>
      <header>
        <h3>Turn {turn.turn}</h3>
      </header>
      {turn.messages.map((message, place) => {
        const first = before;
        before += message.tool_calls?.length ?? 0;
        return (
          <Said key={place} message={message}>
            {message.tool_calls?.map((call, index) => (
              <CallCard
                key={index}
                call={call}
                tool={tools.find((tool) => tool.id === call.name)}
                note={notes.find((note) => note.turn === turn.turn && note.call === first + index)}
                result={turn.results?.[first + index]}
              />
            ))}
          </Said>
        );
      })}
      <Words who="Person" className="person" text={turn.observation.content} />
      {voice && <Voice voice={voice} />}
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

export function turnAnchor(turn: number): string {
  return `turn-${turn}`;
}

interface SaidProps {
  readonly message: Message;
  readonly children: preact.ComponentChildren;
}

function Said({ message, children }: SaidProps) {
  return (
    <>
      {message.content !== '' && (
        <Words who={message.role === 'user' ? 'Person (copy)' : 'Model'} text={message.content} />
      )}
      {children}
    </>
  );
}

interface WordsProps {
  readonly who: string;
  readonly text: string;
  readonly className?: string;
}

function Words({ who, text, className }: WordsProps) {
  return (
    <div class={className === undefined ? 'message' : `message ${className}`}>
      <span>{who}</span>
      <p>{text}</p>
    </div>
  );
}

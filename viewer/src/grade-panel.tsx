import type { EpisodeDetail } from '../../src/serve/api/episode.ts';
import type { ExplainedGrade, GradeNumbers, Reason } from '../../src/serve/api/grade.ts';
import { rewardText, tone, Track } from './reward.tsx';

interface GradePanelProps {
  readonly episode: EpisodeDetail;
  readonly showTurn: (turn: number) => void;
}

/** The reward, what it is made of, and why: each reason leads to its turn. */
export function GradePanel({ episode, showTurn }: GradePanelProps) {
  const explained = episode.explain?.grade;
  const numbers = episode.grade ?? explained;
  if (numbers === undefined) return null;
  return (
    <section class="panel" aria-label="Grade">
      <div class="reward">
        <output class={tone(numbers.reward)}>{rewardText(numbers.reward)}</output>
        <span>{episode.status === 'open' ? 'reward so far' : 'reward'}</span>
      </div>
      <Made numbers={numbers} />
      {explained ? <Reasons grade={explained} showTurn={showTurn} /> : <Numbers numbers={numbers} />}
    </section>
  );
}

function Made({ numbers }: { readonly numbers: GradeNumbers }) {
  return (
    <dl class="pairs">
      <dt>Success</dt>
      <dd class={numbers.success === 1 ? 'good' : 'bad'}>{numbers.success === 1 ? 'yes' : 'no'}</dd>
      <dt>Progress</dt>
      <dd>{rewardText(numbers.progress)}</dd>
      <dt>Gate</dt>
      <dd class={numbers.gate === 1 ? undefined : 'bad'}>
        {numbers.gate === 1 ? 'open' : 'closed: nothing counts'}
      </dd>
      {numbers.not_judged !== undefined && (
        <>
          <dt>Not judged</dt>
          <dd>{numbers.not_judged === 1 ? 'one criterion' : `${numbers.not_judged} criteria`}</dd>
        </>
      )}
      {numbers.shaped && (
        <>
          <dt>Shaped</dt>
          <dd>by a reward config</dd>
        </>
      )}
    </dl>
  );
}

function Reasons({
  grade,
  showTurn,
}: {
  readonly grade: ExplainedGrade;
  readonly showTurn: (turn: number) => void;
}) {
  return (
    <>
      <h2>Why</h2>
      <ul class="plain">
        {grade.reasons.map((reason) => (
          <Criterion key={reason.id} reason={reason} showTurn={showTurn} />
        ))}
      </ul>
      {grade.person_fault && <p class="small">{grade.person_fault.reason}</p>}
      <h2>Dimensions</h2>
      {grade.dimensions.map((dimension) => (
        <details key={dimension.name}>
          <summary>
            <span class="dimension">
              <span>{dimensionText(dimension.name)}</span>
              <Track share={dimension.score} />
              <span>{rewardText(dimension.score)}</span>
            </span>
          </summary>
          <ul class="plain">
            {dimension.criteria.map((reason) => (
              <Criterion key={reason.id} reason={reason} showTurn={showTurn} />
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

/** For keys without the right to explanations. */
function Numbers({ numbers }: { readonly numbers: GradeNumbers }) {
  return (
    <>
      {Object.entries(numbers.scores).map(([name, score]) => (
        <span class="dimension" key={name}>
          <span>{dimensionText(name)}</span>
          <Track share={score} />
          <span>{rewardText(score)}</span>
        </span>
      ))}
      <p class="small quiet">This key may not see the reasons.</p>
    </>
  );
}

function dimensionText(name: string): string {
  return name.replaceAll('_', ' ');
}

function Criterion({
  reason,
  showTurn,
}: {
  readonly reason: Reason;
  readonly showTurn: (turn: number) => void;
}) {
  const { turn } = reason;
  const mark = markOf(reason);
  return (
    <li class="criterion">
      <span class={mark.tone} aria-label={mark.text} title={mark.text}>
        {mark.sign}
      </span>
      <span>
        {reason.reason}{' '}
        <span class="points">
          {pointsText(reason)}
          {turn !== undefined && turn > 0 && (
            <>
              {' · '}
              <button class="link" type="button" onClick={() => showTurn(turn)}>
                turn {turn}
              </button>
            </>
          )}
        </span>
      </span>
    </li>
  );
}

function markOf(reason: Reason): { readonly sign: string; readonly text: string; readonly tone: string } {
  if (reason.not_judged === true) return { sign: '?', text: 'not judged', tone: 'quiet' };
  if (reason.earned < 0) return { sign: '−', text: 'penalty', tone: 'bad' };
  if (reason.earned >= reason.possible) return { sign: '✓', text: 'earned', tone: 'good' };
  return reason.earned > 0
    ? { sign: '◐', text: 'earned in part', tone: 'middling' }
    : { sign: '✗', text: 'missed', tone: 'bad' };
}

function pointsText(reason: Reason): string {
  const earned = Number(reason.earned.toFixed(2));
  return reason.possible > 0 ? `${earned} of ${Number(reason.possible.toFixed(2))}` : String(earned);
}

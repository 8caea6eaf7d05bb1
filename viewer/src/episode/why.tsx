import type { EpisodeDetail } from '../../../src/serve/api/episode.ts';
import type { ExplainedGrade, GradeNumbers } from '../../../src/serve/api/grade.ts';
import { RewardCell, rewardText, sign, tone, Track } from '../chart/reward.tsx';
import { arithmeticOf, thousandths, whySentence, type Arithmetic } from './arithmetic.ts';
import { Criterion, type ShowTurn } from './criterion.tsx';
import { ProgressBar } from './progress-bar.tsx';

interface WhyProps {
  readonly episode: EpisodeDetail;
  readonly showTurn: ShowTurn;
  /** The reasons are on their way. */
  readonly isAsked?: boolean;
}

/** The reward, and the arithmetic that makes it: each reason leads to its turn. */
export function Why({ episode, showTurn, isAsked = false }: WhyProps) {
  if (episode.log !== undefined) return <Logged episode={episode} />;
  const explained = episode.explain?.grade;
  const numbers = episode.grade ?? explained;
  if (numbers === undefined)
    return (
      <section class="panel" aria-label="Grade">
        <p class="quiet">
          {episode.status === 'open' ? 'The grade comes when the episode ends.' : 'There is no grade.'}
        </p>
      </section>
    );
  return (
    <section class="panel why" aria-label="Grade">
      <div class="reward">
        <output class={tone(numbers.reward)}>{rewardText(numbers.reward)}</output>
        <span class={tone(numbers.reward)} aria-hidden="true">
          {sign(numbers.reward)}
        </span>
        <span>{episode.status === 'open' ? 'reward so far' : 'reward'}</span>
      </div>
      {explained ? (
        <Explained grade={explained} showTurn={showTurn} />
      ) : isAsked ? (
        <p class="quiet waiting">Asking for the reasons …</p>
      ) : (
        <Numbers numbers={numbers} />
      )}
    </section>
  );
}

/** What a log says that it earned: its reasons are not in it. */
function Logged({ episode: { reward, success, scores = {} } }: { readonly episode: EpisodeDetail }) {
  const all = Object.entries(scores);
  return (
    <section class="panel why" aria-label="Grade">
      {reward === undefined ? (
        <p class="quiet">The log has no grade from 0 to 1.</p>
      ) : (
        <div class="reward">
          <output class={tone(reward)}>{rewardText(reward)}</output>
          <span class={tone(reward)} aria-hidden="true">
            {sign(reward)}
          </span>
          <span>
            {success === undefined ? 'reward' : success === 1 ? 'reward, success' : 'reward, no success'}
          </span>
        </div>
      )}
      {all.length > 0 && (
        <dl class="pairs">
          {all.map(([name, score]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{score}</dd>
            </div>
          ))}
        </dl>
      )}
      <p class="small quiet">This is what the log says; it holds no reasons.</p>
    </section>
  );
}

function Explained({ grade, showTurn }: { readonly grade: ExplainedGrade; readonly showTurn: ShowTurn }) {
  const made = arithmeticOf(grade);
  return (
    <>
      <p class="sentence">{whySentence(grade)}</p>
      {grade.shaped ? (
        <p class="small quiet">
          A reward config shaped this reward: a weighted mean of the dimensions below.
        </p>
      ) : (
        <Equation grade={grade} made={made} />
      )}
      {grade.person_fault?.reason !== undefined && <p class="small">{grade.person_fault.reason}</p>}
      {grade.not_judged !== undefined && (
        <p class="small">
          Not judged: {grade.not_judged === 1 ? 'one criterion' : `${grade.not_judged} criteria`}
        </p>
      )}
      <Parts grade={grade} made={made} showTurn={showTurn} />
      <Dimensions grade={grade} showTurn={showTurn} />
    </>
  );
}

/** Gate × (success + progress) / 2, in the numbers of this episode. */
function Equation({ grade, made }: { readonly grade: ExplainedGrade; readonly made: Arithmetic }) {
  const { gate, success } = grade;
  const result = (gate * (success * 1000 + made.progress)) / 2;
  return (
    <p class="equation" aria-label="How the reward is made">
      <Term value={String(gate)} name="gate" bad={gate === 0} />
      <span>× (</span>
      <Term value={String(success)} name="success" bad={success === 0} />
      <span>+</span>
      <Term value={thousandths(made.progress)} name="progress" />
      <span>) / 2 =</span>
      <Term value={(result / 1000).toFixed(4).replace(/\.?0+$/, '')} name="reward" />
    </p>
  );
}

function Term({
  value,
  name,
  bad = false,
}: {
  readonly value: string;
  readonly name: string;
  readonly bad?: boolean;
}) {
  return (
    <span class="term">
      <strong class={bad ? 'bad' : undefined}>{value}</strong>
      <small>{name}</small>
    </span>
  );
}

interface PartsProps {
  readonly grade: ExplainedGrade;
  readonly made: Arithmetic;
  readonly showTurn: ShowTurn;
}

const groups: readonly (readonly [kind: string, title: string])[] = [
  ['fact', 'Facts found out'],
  ['call', 'Calls'],
  ['output', 'Closeness to the exemplar'],
  ['rubric', 'Rubrics'],
];

function Parts({ grade, made, showTurn }: PartsProps) {
  const met = made.required.filter(({ earned, possible }) => earned >= possible).length;
  return (
    <>
      {grade.gate === 0 && (
        <Part title="Gate" sum="closed" open>
          {made.fatal.map((reason) => (
            <Criterion key={reason.id} reason={reason} showTurn={showTurn} points="" />
          ))}
        </Part>
      )}
      {made.required.length > 0 && (
        <Part
          title="Success"
          sum={`${met} of ${made.required.length} required hold`}
          open={grade.success === 0}
        >
          {made.required.map((reason) => (
            <Criterion key={reason.id} reason={reason} showTurn={showTurn} points="" />
          ))}
        </Part>
      )}
      <h3>Progress {thousandths(made.progress)}</h3>
      <ProgressBar made={made} showTurn={showTurn} />
      {groups.map(([kind, title]) => {
        const lines = made.credit.filter(({ reason }) => reason.kind === kind);
        if (lines.length === 0) return null;
        const earned = lines.reduce((sum, line) => sum + line.earned, 0);
        const possible = lines.reduce((sum, line) => sum + line.possible, 0);
        return (
          <Part
            key={kind}
            title={title}
            sum={`${thousandths(earned)} of ${thousandths(possible)}`}
            open={earned < possible}
          >
            {lines.map(({ reason, earned: one, possible: most }) => (
              <Criterion
                key={reason.id}
                reason={reason}
                showTurn={showTurn}
                points={`${thousandths(one)} of ${thousandths(most)}`}
              />
            ))}
          </Part>
        );
      })}
      {made.penalties.length > 0 && (
        <Part title="Penalties" sum={`−${thousandths(made.penaltySum)}`} open>
          {made.penalties.map(({ reason, earned }, place) => (
            <Criterion
              key={`${reason.id} ${place}`}
              reason={reason}
              showTurn={showTurn}
              points={`−${thousandths(-earned)}`}
            />
          ))}
        </Part>
      )}
      <p class="small quiet">{sumSentence(made)}</p>
    </>
  );
}

/** The sum in words, also where a limit was at work. */
function sumSentence({ creditSum, penaltySum, summed, progress }: Arithmetic): string {
  const sum =
    penaltySum === 0
      ? `Credit ${thousandths(creditSum)}`
      : `Credit ${thousandths(creditSum)} − penalties ${thousandths(penaltySum)}`;
  if (summed !== progress && progress === 0 && summed > 0)
    return `${sum}, but a player that says and calls nothing makes no progress: 0.`;
  if (creditSum - penaltySum < 0) return `${sum} is below 0, and counts as 0.`;
  return `${sum} = progress ${thousandths(progress)}.`;
}

interface PartProps {
  readonly title: string;
  readonly sum: string;
  readonly open?: boolean;
  readonly children: preact.ComponentChildren;
}

function Part({ title, sum, open = false, children }: PartProps) {
  return (
    <details class="part" open={open}>
      <summary>
        <span>{title}</span>
        <span class="points">{sum}</span>
      </summary>
      <ul class="plain">{children}</ul>
    </details>
  );
}

function Dimensions({ grade, showTurn }: { readonly grade: ExplainedGrade; readonly showTurn: ShowTurn }) {
  return (
    <>
      <h3>Dimensions</h3>
      {grade.dimensions.map((dimension) => (
        <details key={dimension.name} class="part">
          <summary>
            <span class="dimension">
              <span>{dimensionText(dimension.name)}</span>
              {dimension.criteria.length === 0 ? <span /> : <Track share={dimension.score} />}
              <span>{dimension.criteria.length === 0 ? '—' : rewardText(dimension.score)}</span>
            </span>
          </summary>
          <ul class="plain">
            {dimension.criteria.map((reason, place) => (
              <Criterion key={`${reason.id} ${place}`} reason={reason} showTurn={showTurn} />
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
      <dl class="pairs">
        <dt>Gate</dt>
        <dd>{numbers.gate}</dd>
        <dt>Success</dt>
        <dd>{numbers.success}</dd>
        <dt>Progress</dt>
        <dd>{rewardText(numbers.progress)}</dd>
      </dl>
      {Object.entries(numbers.scores).map(([name, score]) => (
        <span class="dimension" key={name}>
          <span>{dimensionText(name)}</span>
          <RewardCell reward={score} />
        </span>
      ))}
      <p class="small quiet">This key may not see the reasons: they reveal answers.</p>
    </>
  );
}

function dimensionText(name: string): string {
  return name.replaceAll('_', ' ');
}

import { plain, thousandths, type Arithmetic } from './arithmetic.ts';
import type { ShowTurn } from './criterion.tsx';

/** Progress built of its reasons: each has its width, filled as far as it was earned. The list below says the same in words. */
export function ProgressBar({ made, showTurn }: { readonly made: Arithmetic; readonly showTurn: ShowTurn }) {
  return (
    <div class="progress-bar" aria-hidden="true">
      {made.credit.map(({ reason, earned, possible }) => (
        <span
          key={`${reason.kind} ${reason.id}`}
          class={earned === 0 ? 'none' : undefined}
          style={{ flexGrow: possible }}
          title={`${plain(reason.reason)} ${thousandths(earned)} of ${thousandths(possible)}`}
          onClick={() => {
            if (reason.turn !== undefined && reason.turn > 0) showTurn(reason.turn);
            else
              document
                .getElementById(`reason-${reason.kind}-${reason.id}`)
                ?.scrollIntoView({ block: 'nearest' });
          }}
        >
          <span style={{ width: possible === 0 ? '0' : `${(earned / possible) * 100}%` }} />
        </span>
      ))}
    </div>
  );
}

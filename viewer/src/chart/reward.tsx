/** A reward as people read it: two digits, and a third where it would be read as nothing; an absent one is a dash. */
export function rewardText(reward: number | undefined): string {
  if (reward === undefined) return '—';
  return reward.toFixed(reward > 0 && reward < 0.01 ? 3 : 2);
}

export function tone(share: number): 'good' | 'middling' | 'bad' {
  if (share >= 0.8) return 'good';
  return share >= 0.4 ? 'middling' : 'bad';
}

/** A sign beside each colour, for whoever does not see it. */
export function sign(share: number): string {
  return { good: '✓', middling: '◐', bad: '✗' }[tone(share)];
}

/** A share of one as a bar. */
export function Track({ share }: { readonly share: number }) {
  return (
    <span class={`track ${tone(share)}`} aria-hidden="true">
      <span style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
    </span>
  );
}

/** A reward with its bar and its sign; a dash where there is none. */
export function RewardCell({ reward }: { readonly reward: number | undefined }) {
  if (reward === undefined) return <span class="quiet">—</span>;
  return (
    <span class="reward-cell">
      <Track share={reward} />
      <span class={tone(reward)}>
        {rewardText(reward)} <span aria-hidden="true">{sign(reward)}</span>
      </span>
    </span>
  );
}

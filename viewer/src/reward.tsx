/** A reward as people read it: two digits, never more exact than it is. */
export function rewardText(reward: number): string {
  return reward.toFixed(2);
}

export function tone(share: number): 'good' | 'middling' | 'bad' {
  if (share >= 0.8) return 'good';
  return share >= 0.4 ? 'middling' : 'bad';
}

/** A share of one as a bar. */
export function Track({ share }: { readonly share: number }) {
  return (
    <div class={`track ${tone(share)}`} aria-hidden="true">
      <span style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
    </div>
  );
}

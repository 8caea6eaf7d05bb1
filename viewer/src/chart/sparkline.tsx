interface SparklineProps {
  /** One value a turn, from 0 to 1. */
  readonly values: readonly number[];
  readonly label: string;
  readonly onPick?: (index: number) => void;
}

/** A line of values from 0 to 1; a click picks the one below it. Thousands are drawn as so many pixels. */
export function Sparkline({ values, label, onPick }: SparklineProps) {
  const width = 200;
  const height = 36;
  const last = Math.max(1, values.length - 1);
  const step = Math.max(1, Math.ceil(values.length / width));
  const points = values
    .map((value, index) => [(index / last) * width, height - 2 - value * (height - 4)] as const)
    .filter((_, index) => index % step === 0 || index === values.length - 1);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      onClick={(event) => {
        const { left, width: wide } = event.currentTarget.getBoundingClientRect();
        onPick?.(Math.round(((event.clientX - left) / wide) * last));
      }}
    >
      <polyline points={`0,${height} ${line} ${width},${height}`} class="under" />
      <polyline points={line} class="line" />
    </svg>
  );
}

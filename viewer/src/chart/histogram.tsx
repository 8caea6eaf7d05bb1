interface HistogramProps {
  /** How many values fall into each of the equal parts from 0 to 1. */
  readonly counts: readonly number[];
  readonly label: string;
}

const width = 120;
const height = 24;

/** How often values from 0 to 1 fall into each of some equal bins. */
export function Histogram({ counts, label }: HistogramProps) {
  const most = Math.max(1, ...counts);
  const wide = width / counts.length;
  const peak = (counts.indexOf(most) + 0.5) / counts.length;
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${label}: most often near ${peak.toFixed(2)}`}
    >
      {counts.map((count, bin) => (
        <rect
          key={bin}
          x={bin * wide + 0.5}
          y={height - 1 - (count / most) * (height - 2)}
          width={wide - 1}
          height={(count / most) * (height - 2)}
        >
          <title>{`${(bin / counts.length).toFixed(2)} to ${((bin + 1) / counts.length).toFixed(2)}: ${count}`}</title>
        </rect>
      ))}
      <path d={`M0 ${height - 0.5}H${width}`} class="axis" />
    </svg>
  );
}

type Labels = Readonly<Record<string, string>>;

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Histogram {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

/** What the server counts, as Prometheus reads it. Labels come from fixed sets only, so that they cannot grow. */
export class Metrics {
  readonly #helps = new Map<string, string>();
  readonly #counters = new Map<string, Map<string, { readonly labels: Labels; value: number }>>();
  readonly #histograms = new Map<string, Map<string, Histogram>>();

  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    this.#helps.set(name, help);
    const series = this.#counters.get(name) ?? new Map<string, { labels: Labels; value: number }>();
    this.#counters.set(name, series);
    const key = keyOf(labels);
    const entry = series.get(key);
    if (entry === undefined) series.set(key, { labels, value: by });
    else entry.value += by;
  }

  observe(name: string, help: string, labels: Labels, seconds: number): void {
    this.#helps.set(name, help);
    const series = this.#histograms.get(name) ?? new Map<string, Histogram>();
    this.#histograms.set(name, series);
    const key = keyOf(labels);
    let histogram = series.get(key);
    if (histogram === undefined) {
      histogram = { labels, counts: buckets.map(() => 0), sum: 0, count: 0 };
      series.set(key, histogram);
    }
    const bucket = buckets.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
    histogram.sum += seconds;
    histogram.count += 1;
  }

  /** The text of Prometheus, with gauges that are read at this moment. */
  write(gauges: readonly { readonly name: string; readonly help: string; readonly value: number }[]): string {
    const lines: string[] = [];
    for (const [name, series] of this.#counters) {
      lines.push(`# HELP ${name} ${this.#helps.get(name)}`, `# TYPE ${name} counter`);
      for (const { labels, value } of series.values()) lines.push(`${name}${writeLabels(labels)} ${value}`);
    }
    for (const [name, series] of this.#histograms) {
      lines.push(`# HELP ${name} ${this.#helps.get(name)}`, `# TYPE ${name} histogram`);
      for (const { labels, counts, sum, count } of series.values()) {
        let below = 0;
        counts.forEach((inBucket, index) => {
          below += inBucket;
          lines.push(`${name}_bucket${writeLabels({ ...labels, le: String(buckets[index]) })} ${below}`);
        });
        lines.push(
          `${name}_bucket${writeLabels({ ...labels, le: '+Inf' })} ${count}`,
          `${name}_sum${writeLabels(labels)} ${sum}`,
          `${name}_count${writeLabels(labels)} ${count}`,
        );
      }
    }
    for (const { name, help, value } of gauges)
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`);
    return `${lines.join('\n')}\n`;
  }
}

function keyOf(labels: Labels): string {
  return Object.values(labels).join('\n');
}

function writeLabels(labels: Labels): string {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}

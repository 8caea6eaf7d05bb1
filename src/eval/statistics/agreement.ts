/** Any label; undefined where a rater gave none. */
export type Rating = string | number | boolean | undefined;

/**
 * Krippendorff's alpha for nominal labels (2011, by coincidences): any number of raters, gaps allowed. `units` holds for
 * each thing that was rated the labels it was given. Undefined where all labels are one and the same.
 */
export function krippendorffAlpha(units: readonly (readonly Rating[])[]): number | undefined {
  const totals = new Map<Rating, number>();
  let agreed = 0;
  let count = 0;
  for (const unit of units) {
    const labels = unit.filter((label) => label !== undefined);
    if (labels.length < 2) continue;
    const each = new Map<Rating, number>();
    for (const label of labels) each.set(label, (each.get(label) ?? 0) + 1);
    for (const [label, times] of each) {
      agreed += (times * (times - 1)) / (labels.length - 1);
      totals.set(label, (totals.get(label) ?? 0) + times);
    }
    count += labels.length;
  }
  if (count < 2) return undefined;
  const expected = [...totals.values()].reduce((sum, times) => sum + times * (times - 1), 0) / (count - 1);
  return expected === count ? undefined : 1 - (count - agreed) / (count - expected);
}

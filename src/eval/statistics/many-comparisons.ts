/** Holm's correction (1979) of many p-values: whatever is refused below 5 % is wrong somewhere in at most 5 % of cases. */
export function holmCorrection(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].toSorted((a, b) => values[a]! - values[b]!);
  const adjusted: number[] = [];
  let highest = 0;
  order.forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, values[index]! * (values.length - rank)));
    adjusted[index] = highest;
  });
  return adjusted;
}

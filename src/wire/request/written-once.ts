/**
 * Keeps what was written for a value as long as the value lives. `by` is what the writing depends on besides; where
 * that has changed, it is written anew.
 */
export function writtenOnce<Written>(): (
  value: object,
  by: readonly object[],
  write: () => Written,
) => Written {
  const kept = new WeakMap<object, { readonly by: readonly object[]; readonly written: Written }>();
  return (value, by, write) => {
    const known = kept.get(value);
    if (known !== undefined && known.by.every((each, index) => each === by[index])) return known.written;
    const written = write();
    kept.set(value, { by, written });
    return written;
  };
}

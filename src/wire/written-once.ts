/**
 * Keeps what was written for a message as long as the message lives, so that a longer history costs only what is
 * new in it. `by` is what the writing depends on besides; where that has changed, it is written anew.
 */
export function writtenOnce<Written>(): (
  message: object,
  by: readonly object[],
  write: () => Written,
) => Written {
  const kept = new WeakMap<object, { readonly by: readonly object[]; readonly written: Written }>();
  return (message, by, write) => {
    const known = kept.get(message);
    if (known !== undefined && known.by.every((each, index) => each === by[index])) return known.written;
    const written = write();
    kept.set(message, { by, written });
    return written;
  };
}

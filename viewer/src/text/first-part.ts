const partSize = 64_000;

/** The first lines of a text, then one part more each time somebody asks: ten megabytes are never shown at once. */
export function firstPart(
  text: string,
  lines: number,
  parts: number,
): { readonly shown: string; readonly left: number } {
  const most =
    parts === 1 ? Math.min(text.length, lines * 100) : Math.min(text.length, partSize * (parts - 1));
  let end = most;
  if (parts === 1) {
    let at = -1;
    for (let line = 0; line < lines; line++) {
      at = text.indexOf('\n', at + 1);
      if (at < 0 || at > most) break;
    }
    if (at >= 0 && at < most) end = at;
  }
  // A few lines more are shown rather than offered.
  if (parts === 1 && text.length - end < 400) end = text.length;
  return { shown: text.slice(0, end), left: text.length - end };
}

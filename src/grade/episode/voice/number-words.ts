/** The numbers in a text, also those in words: `forty kilos`, `the twenty-ninth`, `40,000` and `2024-02-15`. */
export function numbersIn(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let whole: number | undefined;
  let part: number | undefined;
  const end = (): void => {
    if (whole !== undefined || part !== undefined) found.add((whole ?? 0) + (part ?? 0));
    whole = undefined;
    part = undefined;
  };
  for (const [token] of text.toLowerCase().matchAll(/\d+(?:,\d{3})+(?!\d)|\d+\.\d+|\d+|[a-z]+|[.;:!?]/g)) {
    const scale = scales[token];
    const small = smalls[token];
    if (token === 'half' || token === 'twice') {
      end();
      found.add(token === 'half' ? 0.5 : 2);
    } else if (/^\d/.test(token)) {
      end();
      part = Number(token.replaceAll(',', ''));
    } else if (scale === 100 && part !== undefined) part *= 100;
    else if (scale !== undefined && part !== undefined) {
      whole = (whole ?? 0) + part * scale;
      part = undefined;
    } else if (small === undefined) {
      // "A hundred and ten" is one number; any other word between two makes two of them.
      if (token !== 'and' || (part ?? whole ?? 0) < 100) end();
    } else if (small < 10 && part !== undefined && part >= 20 && part % 10 === 0) part += small;
    else if ((part ?? whole ?? 0) >= 100 && (part ?? 0) % 100 === 0) part = (part ?? 0) + small;
    // "One" and "first" alone are not a number as a rule: "one of us", "first of all".
    else if (!/^(?:one|first|second)$/.test(token) || /\bone (?:hundred|thousand|million)\b/.test(text)) {
      end();
      part = small;
    } else end();
  }
  end();
  return found;
}

/** Whether a word is a number, or part of one. */
export function isNumber(word: string): boolean {
  return (
    /\d/.test(word) ||
    word === 'th' ||
    word === 'half' ||
    word === 'twice' ||
    word.split('-').every((part) => part in smalls || part in scales)
  );
}

const scales: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  hundred: 100,
  thousand: 1000,
  million: 1_000_000,
});

const smalls: Readonly<Record<string, number>> = Object.assign(
  Object.create(null),
  Object.fromEntries([
    ...'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
      .split(' ')
      .map((word, index) => [word, index]),
    ...'twenty thirty forty fifty sixty seventy eighty ninety'
      .split(' ')
      .map((word, index) => [word, 20 + 10 * index]),
    ...'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'
      .split(' ')
      .map((word, index) => [word, 1 + index]),
    ...'twentieth thirtieth'.split(' ').map((word, index) => [word, 20 + 10 * index]),
  ]) as Readonly<Record<string, number>>,
);

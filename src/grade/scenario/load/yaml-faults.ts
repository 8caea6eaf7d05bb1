/** What is wrong with a text that is not YAML, as its author would say it, and where. */
export interface YamlFault {
  readonly message: string;
  /** Where in the text; from its start. */
  readonly at: number;
}

/** Puts what the library says into words that an author can act on: mostly a text that wants quotes. */
export function explainYaml(text: string, reason: string, at: number): YamlFault {
  if (text.trim() === '' || reason.includes('the input is empty'))
    return { message: 'The file is empty: it holds nothing, or only comments.', at: 0 };
  if (/tab/i.test(reason))
    return { message: 'A tab is in the indentation; YAML takes spaces only. Replace it.', at };
  if (reason.includes('single document')) {
    const second = text.search(/^(?:---|\.\.\.)(?:\s|$)/m);
    const next = second < 0 ? -1 : text.slice(second + 3).search(/^---(?:\s|$)/m);
    const isHead =
      second >= 0 &&
      text
        .slice(0, second)
        .replaceAll(/^\s*#.*$/gm, '')
        .trim() === '';
    return {
      message: 'A second document begins here ("---"), and a file holds one. Take it away.',
      at: isHead && next >= 0 ? second + 3 + next : Math.max(0, second),
    };
  }
  if (reason.includes('duplicated mapping key'))
    return { message: `"${wordAt(text, at)}" is here twice. Keep one of them.`, at };
  if (reason.includes('nesting exceeded'))
    return { message: 'The brackets are nested deeper than anybody could read (100 levels).', at };
  if (reason.includes('null byte'))
    return { message: 'A NUL byte is here: perhaps the file is UTF-16. Save it as UTF-8.', at };
  const wantsQuotes = sayQuotes(text, reason, at);
  if (wantsQuotes !== undefined) return { message: `${wantsQuotes} (YAML: ${reason}.)`, at };
  if (/deficient indentation|unexpected end of the/.test(reason))
    return { message: `A bracket or a quote from above is not closed before this. (YAML: ${reason}.)`, at };
  return {
    message: `This is not YAML: ${reason}. Look at the indentation, the brackets and the quotes here and in the line above.`,
    at,
  };
}

/** Most faults are a text whose first character, or a colon in it, means something to YAML. */
function sayQuotes(text: string, reason: string, at: number): string | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(start, end < 0 ? text.length : end);
  if (/\$\{[\w.-]+\}/.test(line) && text[at] === '{' && text[at - 1] === '$')
    return "Between brackets a variable needs quotes: '${…}'.";
  if (/alias|anchor|tag/.test(reason)) {
    const mark = /alias/.test(reason) ? '*' : /anchor/.test(reason) ? '&' : '!';
    return `A text that begins with ${mark} needs quotes.`;
  }
  const value = /^\s*(?:- +)*(?:[\w$.'"{}-]+ *: +)?(\S.*)$/.exec(line)?.[1] ?? '';
  const [first = ''] = value;
  if ('@`%*&!|>'.includes(first) && first !== '') return `A text that begins with ${first} needs quotes.`;
  if (/^(["']).*\1\s*[^\s,#]/.test(value))
    return 'A text that begins with a quote ends with it. Put the whole of it into the other quotes.';
  if (/^[[{]/.test(value) && /[\]}]\s+\w/.test(value))
    return `A text that begins with ${first} needs quotes.`;
  if (/^[^[{'"].*: /.test(value)) return 'A text with a colon and a space in it needs quotes.';
  if (/'\w*'\w/.test(line) && reason.includes('missed comma'))
    return "Between single quotes an apostrophe is written twice ('').";
  return undefined;
}

function wordAt(text: string, at: number): string {
  return /^["']?([^\s:"']+)/.exec(text.slice(at, at + 80))?.[1] ?? '';
}

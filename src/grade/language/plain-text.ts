/** Lower case, one kind of apostrophe, contractions written out. What a text does not hold is not looked for in it. */
export function plainText(message: string): string {
  let text = message
    .toLowerCase()
    // Marks part words that they are between, and leave no blank in the midst of a phrase.
    .replace(/(?<=[\w.,:;!?)])\*\*(?=\w)/g, ' ')
    .replaceAll('**', '')
    .replace(
      /^[ \t]*(?:[-*\u2022\u2013\u2014](?:[ \t]+\d{1,2}(?:\.\d{1,2})?[.)]?(?=[ \t]+[a-z]))?|\(?\d{1,2}[.)]|[a-z][.)])[ \t]+/gm,
      '- ',
    )
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/(?<=[\w.,:;!?)])[\u201c\u201d"*_#](?=\w)/g, ' ')
    .replace(/[\u201c\u201d"*_#]/g, '');
  if (text.includes("'")) text = withoutContractions(text);
  // What belongs to the operator is another thing than what belongs to the person.
  if (/\b(?:our|my) /.test(text)) text = text.replace(ours, 'our-$1');
  // To like a thing is more than "would like".
  if (text.includes(' like'))
    text = text.replace(/\b(do|does|did) (you|he|she|they|anyone|anybody) like\b/g, '$1 $2 enjoy');
  // Some put it right between the words: "Thank you\u2014how bad is it?"
  if (text.includes('\u2014')) text = text.replace(/(?<=[a-z?!.,'])\u2014(?=[a-z'])/g, ' \u2014 ');
  for (const [sign, idiom, meaning] of idioms) if (text.includes(sign)) text = text.replace(idiom, meaning);
  // The way back is not the back.
  if (text.includes('back'))
    text = text.replace(
      /\b(come|comes|came|go|goes|went|going|call|called|calling|be|get|got|write|come right|bring|send|give|pay) (?:(you|it|me|him|her|them|us|that) )?back\b(?! pain| hurt)/g,
      '$1 $2 again',
    );
  if (text.includes(' no.')) text = text.replace(numbered, '$1 number');
  if (text.includes('.'))
    text = text
      .replace(/\be\. ?g\.,?/g, 'for example')
      .replace(/\bi\. ?e\.,?/g, 'that is')
      .replace(/\b(dr|mr|mrs|ms|st|no|vs|approx)\./g, '$1');
  if (text.includes(' not '))
    text = text.replace(
      /\b(?:did not|do not|does not|have not|has not|are not|is not|was not|were not|could not|would not) (you|they|he|she|there|it|anyone|anybody)\b/g,
      (found) => found.replace(' not ', ' '),
    );
  return text;
}

/** "Order no.": there it is not an answer. */
const numbered =
  /\b(order|parcel|tracking|account|invoice|contract|claim|case|file|customer|reference|policy|ticket|article|item|model|serial|phone|telephone|house|room) no\./g;

/** Words that mean something else where they stand so; what is in each of them is before it. */
const idioms: readonly (readonly [sign: string, RegExp, string])[] = [
  ['be so ', /\bbe so (?:kind|good) (?:as to|and) /g, ''],
  ['picture', /\b(?:put|kept|keep|been) in the picture\b/g, 'informed'],
  [' all right', /(?<!are you|is that|it is|be) all right(?=[?.!,]|$)/g, ' normally'],
  ['hand', /\b(?:give|lend)(s?) (me|you|us|him|her|them|somebody|someone) a hand\b/g, 'help$1 $2'],
  ['hand', /\bhand (?:it |this |that |them )?(in|over|out)\b/g, 'submit $1'],
  [' hand', /\b(?:at|on|in|to) hand\b/g, 'ready'],
  [' work', /\b(?:does|do) (this|that|it|the \w+|things?) work\b/g, 'does $1 function'],
  [' works', /\bhow (this|that|it|things?) works\b/g, 'how $1 functions'],
  [' to work', /\b(?:get|getting|come|way|commute|travel) to work\b/g, 'commute'],
  ['are you ', /\bare you (?:all right|alright|okay|ok)\b(?! with)/g, 'how are you'],
  ['s ', /\b(?:is|was) (that|this|it) (?:right|correct|so)(?=[.?!]|$)/g, 'is $1 so'],
  [' see', /\b(?:do )?(?:you|i) see(?: what (?:i|you) mean)?(?=[,.?!]|$)/g, ' '],
  ['nature of', /\bnature of\b/g, 'kind of'],
  ['in a', /\bin (?:a|any) (?:rush|hurry)\b/g, 'without time'],
  [' far', /\b(?:so|thus) far\b/g, 'already'],
];

const ours =
  /\b(?:our|my) (?!(?:file|list|screen|computer|sheet|questionnaire|checklist|rule|protocol|template|record|form|note|system|polic|call|conversation|report|assessment|database|side|guideline|question|first|last|next|own|shop|purchase|understanding|department|intake|plan|colleague|confirmation|message|reply|warehouse|website)s?)([a-z])/g;

function withoutContractions(text: string): string {
  return text
    .replace(/\b(ca|wo|sha)n't\b/g, (_, verb: string) => `${whole[verb]} not`)
    .replace(/n't\b/g, ' not')
    .replace(/\b(what|who|where|when|how|that|there|it|he|she|let)'s\b/g, (_, word: string) =>
      word === 'let' ? 'let us' : `${word} is`,
    )
    .replace(/'re\b/g, ' are')
    .replace(/'ve\b/g, ' have')
    .replace(/'ll\b/g, ' will')
    .replace(/'d\b/g, ' would')
    .replace(/\bi'm\b/g, 'i am')
    .replace(/'s\b/g, '');
}

const whole: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', sha: 'shall' };

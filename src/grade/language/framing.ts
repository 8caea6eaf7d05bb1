import { Wording, Wordings } from './wording.ts';
import { ifYouGive, leadIn, sayVerb, wishAround, wishFor, wishToKnow } from './requests.ts';

/** What frames a question without being asked. Matched on plain lower-case text. */

const without =
  'instead of|rather than|other than|apart from|besides|except(?: for)?|aside from|but not|not counting|leaving aside';

/** What follows these words is what is not asked for. */
const contrast = new Wording(`\\b(?:${without})\\b[^,]*(?:$|,)`);

/** "Who besides you": the question goes on behind it. */
const besideOneself = new Wording(
  `\\b(?:${without}) (?:you(?:rself)?|him(?:self)?|herself|them(?:selves)?|me|us|this|that|these|those|it)\\b,?(?! \\w+ (?:of|from|in)\\b)`,
  'g',
);

/** "Apart from penicillin, …" */
const contrastFirst = new Wording(`^(?:and |so |but )?(?:${without})\\b[^,]*,\\s*(?=\\S)`);

/** What is asked for, without what is set against it. */
export function withoutContrast(text: string): string {
  const rest = contrast.cutFrom(besideOneself.cutFrom(text, ' '));
  return rest === text || /\w/.test(rest) ? rest : text;
}

/** Phrases that only make a question polite. What is asked for stands beside them. */
const politeness = new Wordings([
  '(?:if|as far as) (?:i|you|we|that|it) (?:may|might|can|could|recall|remember|know|like|wish|do not mind|would not mind|is not too much trouble|is all right|is okay|please)(?: (?:ask|recall|remember|say|tell))?(?: (?:me|my) asking| a personal question| you something)?',
  '\\bif (?:any|so|at all|possible|anyone|anything)\\b',
  '\\bin (?:your own words|a word|a sentence|a few words|short|brief|detail|all honesty)',
  '\\b(?:of course|by any chance|at all|so to speak|as (?:near|well|best) as you can|as well(?! as)|to the best of your knowledge|to begin with|to start with|first of all|(?<!\\b(?:look|looking|check|checking|search|searching|go|going|try|feel|count|measure|press)\\b.*)once more, please|for (?:me|us)|for (?:the|my|our|your) (?:file|records?|notes?|form|paperwork|report|intake note))\\b',
  '\\b(?:may|might|can|could) (?:i|we) (?:also |please |just |gently |perhaps |briefly )*(?:ask|know|check|hear|have|get(?! you)|request|see|confirm|enquire|inquire|note(?: down)?|(?:take|write|put) down|enter|record)\\b(?: you\\b)?',
  '(?:would|could|can|will|do) you (?:also |please |just |kindly |perhaps |briefly )*(?:mind|be (?:so kind as to|able to|willing to)|(?:walk|take|talk) (?:me|us))',
  `(?:would|could|can|will) you (?:also |please |just |kindly |perhaps |briefly )*(?:${sayVerb}|give|let|show|remind)\\b(?: (?:me|us)(?: with| know)?\\b)?`,
  '\\b(?:telling|sharing|explaining|confirming|describing|letting|giving|showing|naming|saying|stating|specifying|providing|quoting|spelling|checking|reading|listing|clarifying|indicating|disclosing)\\b(?: (?:me|us))?(?: know)?',
  wishToKnow,
  wishFor,
  ...wishAround,
  '\\b(?:i|we) (?:hope|trust|was hoping|were hoping|am hoping) (?:that )?you (?:can|could|will|would|might)(?: say| tell| explain| describe)?\\b',
  '\\b(?:i|we) would (?:really |also )?(?:be (?:grateful|glad|happy|obliged|thankful|pleased|delighted)|appreciate(?: knowing| it| hearing)?)(?: if you (?:could |would )?(?:told|tell|gave(?! up)|give(?! up)|let|named|name|stated|state|said|say|explained|described|sent|send)(?: me| us)?)?',
  '\\bit (?:would|will) (?:also |really )?(?:help|be (?:helpful|useful|good|great|important))(?: (?:me|us))?(?: (?:to|for me to|if you could))?(?: (?:know|hear|understand))?',
  '\\blet (?:me|us) (?:(?:jot|note|write|take|put) down|note|enter|record|confirm|check|hear|have|get)\\b',
  ', (?:yes or no|true or false)$',
  ', (?:whenever|if|when|once|as soon as) you (?:are ready|have (?:it|that|one|them).*|can|like|could)$',
  '^without (?=.* (?:i|we) (?:cannot|can not|could not|am unable|are unable))| (?:i|we) (?:cannot|can not|could not|am unable|are unable)\\b.*$',
  '(?:tell|notify|inform|show|give|remind|let) (?:me|us)(?: know)?\\b',
  '(?:walk|take|talk) (?:me|us) through',
  'help me (?:to )?understand',
  'do you (?:happen to )?(?:know|remember|recall)\\b(?= (?:what|when|where|which|how|why|your|if|whether|exactly))',
  'would you say',
  '(?:would|could|can|will) you (?:please |kindly |just )*read (?=(?:it|that|them)\\b)|\\bread (?:me|us)\\b(?: out)?|(?<=\\b(?:it|that|them)) (?:out|to me|to us|aloud|out loud)(?: please)?$',
  '\\b(?:an?|some) (?:better |clear |rough )?(?:idea|picture|impression|sense|feeling|notion) (?:of|about|(?=how\\b|what\\b|when\\b))',
  '\\b(?:may|might|can|could) (?:i|we) (?:trouble|bother) you (?:for|with|about)\\b',
  'would it be (?:all right|okay|ok|possible|fine|acceptable) (?:to|if i|if we|for me to) (?:ask|asked|know|hear|get|note|have)(?: you)?(?: about| for)?\\b',
  'am i (?:right|correct)(?: in (?:thinking|assuming|saying|believing|understanding))?(?: that)?\\b',
  '\\b(?:i|we) (?:suppose|take it|guess|presume|assume|gather|imagine|reckon)(?: that)?\\b',
  '\\bhappen to (?!you|your|him|her|it|the|them|me|my|this|that|any)',
  `^(?:please |kindly |just |now |then |and |also |briefly )*(?:${sayVerb})\\b`,
  '\\bon average\\b',
  '\\blet us (?:start with|begin with|turn to|move on to|talk about|come to)\\b',
]);

/** What a question is for stands behind it: "so I can trace it", "to locate your account". */
const tail = new Wording(
  `,? (?:so (?:that )?(?:i|we)\\b.*|in order to\\b.*|because\\b.*|(?<=, )as (?:it|this|that|these|those|they|we|i|our|my|the|your)\\b.*|(?<!\\b(?:${[
    // "Did you manage to see a doctor": here it is what is asked.
    'able|unable|allowed|want|wanted|like|as|need|needed|have|had|has|how|kind|try|trying|tried|ask|asked|you|manage|managed',
    'go|went|gone|going|come|came|get|got|hope|hoping|plan|planning|decide|decided|start|started|begin|began|offer|offered',
    'possible|easy|hard|difficult|send|sent|told|chance|due|wish|refuse|refused|happen|happened|used|expect|expected',
  ].join(
    '|',
  )}) )to (?:find|locate|verify|trace|open|identify|process|complete|document|proceed|see)\\b.*|(?<=, )(?:then )?(?:i|we) (?:will|can|shall|could) (?:then )?(?:look|find|trace|check|help|process|finish|see|get|sort|start|go|open|send)\\b.*|and (?:i|we) (?:will|can)\\b.*)$`,
);

const givenFirst = new Wording(ifYouGive);

/** "I do not mean to pry, but do you smoke?" */
const excuse = new Wording(
  /^.*, but (?=(?:do|does|did|is|are|was|were|have|has|had|can|could|would|will|may|what|when|where|who|which|why|how)\b)/,
);

/** "One point to clarify: were you at work?" */
const announced = new Wording(
  /^(?:(?!\b(?:what|when|where|which|who|whose|why|how|do|does|did|is|are|was|were|have|has|had|can|could|will|would|tell|give|name|your|his|her|their)\b)[^:?]){0,60}\b(?:things?|points?|questions?|matters?|details?|clarifications?|verification|checks?|topics?|follow-ups?)\b(?:(?!\b(?:on|about|of|regarding|concerning)\b)[^:?]){0,30}:\s+(?=\S)/,
);

/** "When, roughly speaking, did it start?" */
const aside = new Wording(
  /\b(when|where|who|what|which|why|how), [\w ]{1,25}, (?=(?:did|do|does|is|are|was|were|have|has|had)\b)/,
);

/** The question itself, without what leads to it and what it is for. */
export function withoutLead(sentence: string): string {
  let text = leadIn.cutFrom(givenFirst.cutFrom(sentence));
  text = excuse.cutFrom(contrastFirst.cutFrom(announced.cutFrom(text)));
  text = aside.cutFrom(text, '$1 ');
  if (text.length < sentence.length) text = leadIn.cutFrom(text);
  const cut = tail.cutFrom(text);
  return cut !== text && /\w+ \w+/.test(cut) ? cut : text;
}

export function withoutPoliteness(text: string): string {
  return politeness.cutFrom(text);
}

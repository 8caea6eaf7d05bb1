/** What tells a request for an answer from all else that an operator says. Matched on plain lower-case text. */

const opener =
  '(?:(?:and|so|but|ok|okay|now|next|first|firstly|second|secondly|then|also|finally|lastly|alright|all right|right|great|thanks|thank you|good|sorry|well|hi|hello|yes|no|fine|perfect|one more thing|i see|got it|understood|to start|to begin|to begin with|first of all|before that|just to be clear|in addition|additionally|moreover|out of curiosity|for (?:the|my|our|your) (?:file|records?|notes?|form|paperwork|intake note|report)|if i may(?: ask)?|if you do not mind(?: me asking| my asking)?)[,: -]+)*';

const infoVerbs =
  'tell|describe|explain|walk me|walk us|take me|take us|talk me|talk us|talk to me|talk about|share|give me|give us|give (?:the|your|a|an)|let me know|let us know|let me have|list|name|state|specify|confirm|clarify|elaborate|provide|help me|show me|show us|remind me|point|point out|point me|outline|summari[sz]e|quote|spell|indicate|identify|rate|detail|fill me in|recount|mention|say|put a number|read me|read out|look up|look for|find|send me|send us|read|expand|estimate|quantify|enumerate|itemi[sz]e|locali[sz]e|characteri[sz]e|declare|disclose|check (?:whether|if)|verify|supply|submit|advise|let us have|let me have';

/** First words and phrases that make a sentence ask for something. */
export const requestStart = new RegExp(
  `^${opener}(?:(?:who|whom|whose|what|when|where|which|why|how|whereabouts|do|does|did|is|are|was|were|am|have|has|had|can|could|would|will|may|might|should|shall|any|anything|anyone|ever)\\b|(?:please |kindly |do )?(?:${infoVerbs})\\b)`,
);

/** "Please take it": what is to be done, not told. */
const action = new RegExp(
  `^${opener}(?:please|kindly|do not|never|always|be sure|make sure|remember to) (?!${infoVerbs})(?!the|your|a |an |any|how|what|when|where|which|who|why|all )`,
);

const requestInside =
  /\b(?:tell (?:me|us)|let (?:me|us) (?:know|ask|hear|have|get|take down|note|note down|write down|confirm|check|record|understand|start with|begin with)\b|i (?:would|want to|wanted to|need to|have to|must|should|just need to|also need to|would also|would really|still need to|still have to|would just) ?(?:like|love|want|need|have)? ?(?:to )?(?:know|hear|understand|ask|learn|see|find out|get|discuss|confirm|clarify|establish|go over|talk about|hear about|note|record|write down|take down|list|document|register|update|have)|(?:i|we) (?:also |still |just |only |will |will also |will still |do )*(?:need|require|want|lack|miss|am missing|are missing) (?:your|the|its|an?|some|a few|more|details|information|to know|to hear|to ask|to understand|\w+s$)\b|(?:i|we) would (?:be|really be|also be) (?:grateful|glad|happy|interested)|(?:i|we) would (?:really |also )?appreciate|it (?:would|will) (?:also |really |certainly )?(?:help|be (?:helpful|useful|good|great|important))|(?:could|can|would|will|may|might) (?:you|i|we)|do you mind|mind (?:telling|sharing|if i ask)|what about|how about|help me understand|i (?:wonder|was wondering|am wondering|am curious|am interested|am trying to)|curious (?:about|to|whether|if)|interested in|my (?:next )?question (?:is|about|concerns)|walk me through|take me through|talk me through|fill me in|please (?:tell|describe|explain|share|give|confirm|list|provide|state|specify|say|elaborate)|, please(?:,|$)| please$)/;

/** A sentence that says it does not want to know. */
const refused =
  /(?:^|\b)(?:not (?:when|where|how|who|why)|(?:please )?do not (?:tell|worry|describe|explain|say|mention|bother|need to|have to|share|answer|talk|give|go into)|(?:i|we) (?:do|will|would|am|are|did) not (?:want|need|ask|care|going|asking|interested|require|mean)|i am not (?:asking|interested|going|here)|you (?:do|need|will) not (?:have|need|tell)|no need|need not|never mind|forget (?:about|what|that|it|the|your)|not asking|leave .{1,60}(?:aside|for (?:later|another|now))|put .{1,60}aside|we can skip|let us skip|skip (?:the|your|over|that)|without (?:telling|asking|going)|set aside the|is not (?:relevant|important|my concern|needed)|does not matter|regardless of|already (?:know|have|told|noted|understand)|i know (?:about|that|when|where|how|what|who|your)|i will (?:ask|get to|come to)|you may wonder|you might ask)\b/;

/** Questions about what the operator did, or about the world in general, are not questions about the person. */
const notAboutPerson = new RegExp(
  `^${opener}(?:must|did|may|can|could|am|will|would|was|have) (?:i|we)\\b(?! (?:ask|know|get|have|hear|see|talk|discuss|go|start|confirm|check|take|begin|please|just|also|clarify|briefly|quickly|first|maybe|perhaps|reach|write|contact|e-mail|email|note|look|do|help|request|gently|send|mail))|\\b(?:what |how |when |where |why )?(?:do|does|can|will|would|are) (?!you|your|the |he|she|it|they|any|this|that|these|there|i |we )(?:[\\w-]+ )?[\\w-]+s (?:usually|normally|often|always|generally|typically|ever)\\b|\\b(?:in general|generally speaking|most people|people in general|on average|hypothetically|theoretically|for the average|does one|do (?:people|patients|workers|companies|customers)(?!.* you)|for most (?:people|patients|workers)|some people|other people|other patients|other customers|a typical (?:patient|worker|customer)|in theory|in principle)\\b`,
);

/** A bare phrase: "Order number, please", "For the file: side of the fracture". */
const fragment =
  /^(?!.*\b(?:is|are|was|were|am|have|has|had|will|would|can|could|should|must|may|might|do|does|did|i|we|you|he|she|it|they|thank|thanks|sorry|understood|let)\b)(?:.*,? please\b|(?:for (?:the|my|our|your) (?:file|records?|notes?|form|report|intake note)|next|now|and|then)[,:] )/;

/** What a sentence is: a request for an answer, a request to do something, or neither. */
export function kindOf(
  sentence: string,
  how: { readonly marked: boolean; readonly closed: boolean },
): 'asks' | 'orders' | 'says' {
  const core = sentence.replace(leadIn, '');
  if (refused.test(core) || notAboutPerson.test(core)) return 'says';
  if (how.marked) return 'asks';
  if (action.test(core)) return 'orders';
  if (requestInside.test(core) || fragment.test(sentence)) return 'asks';
  return startsAsking(core, how.closed) ? 'asks' : 'says';
}

const questionWord = 'who|whom|whose|what|when|where|which|why|how|whereabouts';
const openQuestion = new RegExp(`^(?:\\w+,? )?(?:${questionWord})\\b`);
const invertedQuestion = new RegExp(
  `^(?:\\w+,? )?(?:${questionWord})(?: (?!i |you |we |he |she |they |it |this |that )\\w+){0,2} (?:did|do|does|is|are|was|were|have|has|had|can|could|would|will)\\b`,
);

const auxiliary =
  /^(?:\w+,? )?(?:do|does|did|is|are|was|were|am|have|has|had|can|could|will|would|may|might|should|shall)\b/;
const auxiliaryQuestion = new RegExp(
  `${auxiliary.source} (?:you|your|he|she|it|they|there|the|this|that|any|anyone|anybody|someone|somebody|i|we)\\b`,
);

/** "What a day." and "When you are ready, we go on." begin like questions and are none: a full stop wants a verb near. */
function startsAsking(sentence: string, closed: boolean): boolean {
  if (!requestStart.test(sentence)) return false;
  if (!closed) return true;
  if (openQuestion.test(sentence)) return invertedQuestion.test(sentence);
  return !auxiliary.test(sentence) || auxiliaryQuestion.test(sentence);
}

/** What follows these words is what is not asked for. */
export const contrast =
  /\b(?:instead of|rather than|other than|apart from|besides|except(?: for)?|aside from|but not|not counting|leaving aside)\b/;

/** Phrases that only make a question polite. What is asked for stands beside them. */
const politeness = new RegExp(
  [
    '(?:if|as far as) (?:i|you|we|that|it) (?:may|might|can|could|recall|remember|know|like|wish|do not mind|would not mind|is not too much trouble|is all right|is okay|please)(?: (?:ask|recall|remember|say|tell))?(?: (?:me|my) asking| a personal question| you something)?',
    '\\bif (?:any|so|at all|possible|anyone|anything)\\b',
    '\\bin (?:your own words|a word|a sentence|a few words|short|brief|detail|all honesty)',
    '\\b(?:of course|by any chance|at all|so to speak|as (?:near|well|best) as you can|as well|to the best of your knowledge|to begin with|to start with|first of all|once more, please|for (?:me|us)|for (?:the|my|our|your) (?:file|records?|notes?|form|paperwork|report|intake note))\\b',
    '\\b(?:may|might|can|could) (?:i|we) (?:also |please |just |gently |perhaps |briefly )*(?:ask|know|check|hear|have|get(?! you)|request|see|confirm|enquire|inquire)\\b(?: you\\b)?',
    '(?:would|could|can|will|do) you (?:also |please |just |kindly |perhaps |briefly )*(?:mind|be (?:so kind as to|able to|willing to)|(?:walk|take|talk) (?:me|us))',
    '(?:would|could|can|will) you (?:also |please |just |kindly |perhaps |briefly )*(?:tell|give|let|show|share|describe|explain|confirm|clarify|specify|state|provide|say|remind|indicate|identify|name|list|verify|disclose|quote)\\b',
    '\\b(?:telling|sharing|explaining|confirming|describing|letting|giving|showing|naming|saying|stating|specifying|providing|quoting|spelling|checking|reading|listing|clarifying|indicating|disclosing)\\b(?: (?:me|us))?(?: know)?',
    '\\b(?:i|we) (?:would|want|wanted|need|have|must|should)(?: (?:also|still|just|really|only|rather))*(?: (?:like|love|want|need|have))?(?: to)? (?:know|hear|understand|ask|learn|find out|get|clarify|establish|go over|talk about|hear about|note|record|write down|take down|confirm)(?: (?:something|one thing))?(?: (?:important|about))?',
    '\\b(?:i|we) (?:will |also |still |just |only )*(?:need|require|want)\\b(?= (?:your|the|an?|its|some|more)\\b)',
    '\\b(?:i|we) would (?:really |also )?(?:be (?:grateful|glad|happy)|appreciate(?: knowing| it| hearing)?)',
    '\\bit (?:would|will) (?:also |really )?(?:help|be (?:helpful|useful|good|great|important))(?: (?:me|us))?(?: (?:to|for me to|if you could))?(?: (?:know|hear|understand))?',
    '(?:tell|notify|inform|show|give|remind|let) (?:me|us)(?: know)?\\b',
    '(?:walk|take|talk) (?:me|us) through',
    'help me (?:to )?understand',
    'do you (?:happen to )?(?:know|remember|recall)\\b(?= (?:what|when|where|which|how|why|your|if|whether|exactly))',
    'would you say',
    '^(?:please |kindly )?(?:name|state|list|say|specify|describe|explain|identify|provide|indicate)\\b',
  ]
    .map((one) => `(?:${one})`)
    .join('|'),
  'g',
);

/** "To find your parcel, …", "If you have it at hand, …": what leads to a question is not the question. */
const leadIn = new RegExp(
  `^${opener}(?:(?:just )?(?:in order )?to (?!whom|what|which|where|how)\\w+|for (?!whom|what|which|how)\\w+|(?:just )?so (?:that|i|we)\\b|if\\b|in case\\b|as (?!of|for)|since (?!when|what|how)|because|although|though|even if|thank|thanks|sorry|i am|i apologi|i understand|i see|i know|i hope|i realise|given|with that|now that|assuming|happy|that is|it is|sometimes|regarding|as for|concerning)[^,:]*[,:]\\s+(?=\\S)`,
);

/** What a question is for stands behind it: "so I can trace it", "to locate your account". */
const tail =
  /,? (?:so (?:that )?(?:i|we)\b.*|in order to\b.*|because\b.*|(?<!able |want |like |as |need |have |how |kind |trying |ask |you )to (?:find|locate|verify|trace|open|identify|process|complete|document|proceed|see)\b.*|and (?:i|we) (?:will|can)\b.*)$/;

/** The question itself, without what leads to it and what makes it polite. */
export function withoutFraming(sentence: string): string {
  let text = sentence.replace(leadIn, '');
  if (text.length < sentence.length && leadIn.test(text)) text = text.replace(leadIn, '');
  const cut = text.replace(tail, '');
  if (/\w+ \w+/.test(cut)) text = cut;
  return withoutPoliteness(text);
}

export function withoutPoliteness(text: string): string {
  return text.replace(politeness, ' ');
}

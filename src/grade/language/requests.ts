import { asksAfterAll, declined, questionTag } from './declines.ts';
import { Wording, Wordings } from './wording.ts';

/** What tells a request for an answer from all else that an operator says. Matched on plain lower-case text. */

const opener =
  '(?:(?:and|so|but|ok|okay|now|next|first|firstly|second|secondly|then|also|finally|lastly|alright|all right|right|great|thanks|thank you|good|sorry|well|hi|hello|yes|no|fine|perfect|one more thing|i see|got it|to start|to begin|to begin with|first of all|before that|just to be clear|in addition|additionally|moreover|out of curiosity|for (?:the|my|our|your) (?:file|records?|notes?|form|paperwork|intake note|report)|if i may(?: ask)?|if you do not mind(?: me asking| my asking)?)[,: -]+)*';

/** Verbs by which a person is told to say something; nothing is lost with them. */
export const sayVerb =
  'tell (?:me|us)|describe|explain|share|list|name|state|specify|confirm|clarify|elaborate(?: on)?|provide|outline|summari[sz]e|quote|spell(?: out)?|indicate|identify|detail|recount|mention|say|enumerate|itemi[sz]e|locali[sz]e|characteri[sz]e|declare|disclose|verify|supply|submit|advise|repeat|recite|narrate|sketch|pinpoint|set out|comment on|expand(?: on)?|dictate|break down|run through|go (?:over|through)|account for|reveal|speak (?:to|about)|talk about|point out|(?:report|send|answer)(?=(?: (?:me|us))?:| (?:(?:me|us) )?(?:the following|these)\\b)|try to (?:remember|recall|describe|explain)|put into words';

const infoVerbs = `${sayVerb}|(?:walk|take|talk) (?:me|us)|talk to me|give (?:me|us|the|your|a|an)|let (?:me|us) (?:know|have)|rate|estimate|quantify|help me|score|(?:show|remind|send|pass|read|point|enlighten|update|brief) (?:me|us)|point|fill (?:me|us) in|put a number|read out|look (?:up|for)|find|read|check (?:whether|if)`;

/** First words and phrases that make a sentence ask for something. */
export const requestStart = new RegExp(
  `^${opener}(?:(?:who|whom|whose|what|when|where|which|why|how|whereabouts|do|does|did|is|are|was|were|am|have|has|had|can|could|would|will|may|might|should|shall|any|anything|anyone|ever)\\b|(?:please |kindly |do )?(?:${infoVerbs})\\b)`,
);

/** "Please take it": what is to be done, not told. */
const action = new Wording(
  `^${opener}(?:please|kindly|do not|never|always|be sure|make sure|remember to) (?!${infoVerbs}|(?:just |also |briefly |quickly |now |be so (?:kind|good) )+)(?!the|your|a |an |any|how|what|when|where|which|who|why|all )`,
);

const adverb =
  '(?:(?:also|still|just|only|now|really|simply|merely|first|then|next|rather|very much|at least|quickly|briefly|perhaps|would|will|shall|do) )*';

/** Who wants to know: the operator, its form, its rules. */
const asker =
  '(?:(?:i|we)|(?:the|my|our|this|a|an) (?:next )?(?:form|file|system|screen|computer|sheet|questionnaire|template|list|page|protocol|checklist|note|record|report|rules?|law|bank|insurer|insurance|procedure|doctor|specialist|expert|colleagues?|supervisor|team|field|box|line|question|item|point)s?)';

const wanting =
  '(?:(?:want|wanted|wants|need|needs|wish|ought|(?<=would )(?:like|love)) (?:to )?|(?:have|has|had|(?<=have )got|required|obliged|supposed|asked|meant|bound|hoping|trying|keen|eager|anxious|here|calling) to |(?:requires|makes?) (?:me|us) (?:to )?)';

const knowing =
  '(?:know|hear|ask|enquire|inquire|find out|understand|learn|see|get|have|be (?:told|sure|certain|clear)|make (?:sure|certain)|ensure|check|establish|settle|clarify|verify|confirm|determine|work out|discuss|go (?:over|through)|talk about|hear about|note|enter|put(?! (?:you|it|him|me|them|her) (?:on|through|down|in|back|up)\\b)|list|record|document|register|state|specify|log|mark|add|include|report|rule out|exclude|fill in|type|write(?: down)?|take down|put down|update|complete|cover|collect|gather|picture|get an idea|get a (?:picture|feeling))';

/** "I would like to know", "I have to enter", "The form wants to know", "I am obliged to record". */
export const wishToKnow = `(?<!something |what |which )\\b${asker} ${adverb}(?:am |are |is |was |were )?${adverb}(?:${wanting}|must |should )${adverb}${knowing}\\b(?:(?: down| in| on| you| record| note| file| about| whether| if| that| of|(?<=ask|know|hear) (?:something|one thing)(?: important)?)\\b)*`;

/** "I need your …", "The form asks for the …", "I am after the …". */
export const wishFor = `\\b(?:${asker} ${adverb}(?:need|needs|require|requires|want|wants|lack|lacks|miss|(?<=would (?:\\w+ )?)like|asks for|calls for|(?:am|are|is) (?:still |also |now )*(?:missing|lacking|after|looking for|interested in|curious about))|(?:i|we) (?:do not|have not|have no|am not)(?: \\w+)?(?=.{0,80}\\b(?:on (?:the |my |our )?(?:file|form|record|note)|in (?:the |my |our )?(?:file|form|records?|notes?)|yet|clear (?:about|on|as to))\\b))(?= (?:your|her|his|their|the|its|an?|some|a few|more|details|information|how|what|when|where|which|who|why|\\w+s$|\\w+ation|proof|evidence)\\b)`;

/** "What I still need is …", "… is what I lack", "… is still missing from my form". */
export const wishAround = [
  // "One more thing I have to ask is …", "… are the next item on my list", "That leaves …", "… would be helpful"
  `^(?:[\\w ]{1,20} )?(?:thing|point|item|question|detail|matter)s? (?:that )?${asker} [\\w ]{1,30}? (?:is|are|concerns?)\\b`,
  '\\b(?:is|are|would be|comes?) (?:the |my )?(?:next|last|first|only|other)(?: (?:item|point|question|thing|topic|field|box|line))?(?: (?:on|in|of) .*)?$',
  '^(?:and )?that (?:just |only |still )?leaves(?: (?:us|me) with)?(?: the (?:question|matter|point) of)?\\b',
  '\\bwould (?:also |really |certainly )*(?:be (?:a great |a big )?(?:helpful|useful|good|great|nice|handy|help)|help(?: me| us)?)$',
  '\\b(?:is|are) something (?:that )?(?:i|we) (?:also |still )*(?:need|have|want|must|should|would like)(?: to)? (?:know|ask|note|record|enter|hear|check)\\b.*$',
  `\\b(?:(?:i|we) (?:still |also )*(?:have|see)|there (?:is|are)(?: still| also)?|here is) (?:an?|one|the) (?:empty|open|blank|free)(?: \\w+)? (?:here )?for\\b`,
  '\\b(?:nobody|no one) (?:has )?(?:told|tells|mentioned to) (?:me|us) (?:anything )?(?:about|of)\\b',
  '^(?:i|we) (?:can|could|will|would) .*\\b(?:if|once|when|as soon as) you (?:could |can |would )?(?:give|tell|send|let|gave|told|sent) (?:me|us)(?: have| know)?\\b',
  // "My records do not show whether …", "I cannot see from the file whether …"
  '\\b(?:the|my|our|this|your) (?:file|records?|form|notes?|system|papers|claim|order|report) (?:does|do) not (?:say|show|tell|state|mention|give)\\b(?: me| us)?(?: if| whether)?',
  '\\b(?:i|we) (?:cannot|can not|do not|could not) (?:see|tell|find|make out|find out)(?: from (?:the|my|our|your) \\w+)? (?=(?:if|whether|how|when|what|who|where|which)\\b)',
  `(?<!something |what |which )\\b${asker} (?:will|is going to|are going to) (?:ask|want to know)(?: me| us)?(?: about)?\\b(?!.*\\b(?:later|tomorrow|then)$)`,
  `^(?:what|all|the (?:only|last|next|one|other|first)(?: thing)?) ${asker} ${adverb}(?:need|needs|want|wants|lack|lacks|miss|require|asks? for|would like)(?: to know| from you| now)* (?:is|are|would be)\\b`,
  `\\b(?:is|are|would be) (?:what|all|the (?:only|last|next|one|other|first)(?: thing)?) (?:that )?${asker} ${adverb}(?:need|want|lack|miss|require|ask for|would like).*$`,
  // Not "What is missing?", which asks for just that.
  '(?<!\\b(?:what|that|it|anything|something)(?: exactly)? )\\b(?:is|are) (?:still |also )*missing(?: (?:from|in|on|here)\\b.*)?$',
];

/** "Once I have your order number, I can look it up." */
export const ifYouGive =
  '^(?:if|once|when|as soon as) (?:you (?:could |can |would )?(?:give|tell|send|let|show) (?:me|us)(?: have| know)?|(?:i|we) (?:have|know|get|got|had)) (?=.*\\b(?:i|we) (?:can|will|could|shall)\\b)';

/** "… to help you open an account": what the operator would be glad to do, unless it wants to hear something for it. */
const offering =
  ' to (?!(?:know|hear|learn|be told|find out|receive|understand|(?:have|see) (?:your|the|an?)|take (?!care))\\b)(?!.{0,120}\\b(?:if|once|when|after|first|but|tell|give|need|could|can)\\b)';

const given = new Wording(ifYouGive);

const requestInside = new Wordings([
  '\\b(?:tell|remind) (?:me|us)',
  '\\blet (?:me|us) (?:know|ask|hear|have|get|take down|note|note down|write down|jot down|put down|enter|confirm|record|understand|start with|begin with|turn to|move on to|talk about|come to)\\b',
  wishToKnow,
  wishFor,
  ...wishAround,
  `\\b(?:i|we) would (?:really |also )*(?:be (?:grateful|glad|happy|interested|keen|curious|obliged|thankful|pleased|delighted)|appreciate)(?!${offering})`,
  '\\b(?:i|we) (?:hope|trust|was hoping|were hoping|am hoping) (?:that )?you (?:can|could|will|would|might)\\b',
  '\\bit (?:would|will) (?:also |really |certainly )?(?:help|be (?:helpful|useful|good|great|important))',
  '\\b(?:could|can|would|will|may|might) (?:you|i|we)\\b',
  `\\b(?:i|we) (?:would |do |shall |will )?(?:like|want|need|ask|wish|love) you to (?:please |just |also )*(?:${infoVerbs})\\b`,
  '\\b(?:do you mind|mind (?:telling|sharing|if i ask)|what about|how about|help me understand)\\b',
  '\\b(?:may|might|can|could) (?:i|we) (?:trouble|bother) you\\b',
  '^without (?:your|the|knowing|having)\\b.*\\b(?:i|we) (?:cannot|can not|could not|am unable|are unable|am not able)\\b',
  '\\b(?:i wonder|i was (?:just )?wondering|i am (?:just )?wondering|i am curious|i am interested|curious (?:about|to|whether|if)|interested in)\\b',
  '\\bmy (?:next |last |first |only |other )?question (?:is|about|concerns)\\b',
  // "I need two things: your number and your name"
  '\\b(?:i|we)(?: will| would| do)?(?: just| only| still| also)* (?:need|require|want|have|lack|like|miss)(?: just| only| still)* (?:one|two|three|four|five|six|a few|some|several|a couple of|the following)(?: more| last| other| further)? (?:things?|details?|pieces? of information|points?|items?|questions?|facts?)(?: from you| for you| left)?:',
  '\\b(?:walk|take|talk) (?:me|us) through\\b|\\bfill (?:me|us) in\\b',
  '\\bplease (?:tell|describe|explain|share|give|confirm|list|provide|state|specify|say|elaborate)',
  ', please(?:,|$)| please$',
]);

/** "Take the thermometer, and tell me what it shows." */
const andTell = new Wording(
  /(?:, | and | then )(?:and |then )*(?:tell (?:me|us)|say|describe|let (?:me|us) know|read (?:me|out)|give (?:me|us))\b/,
);

/** Questions about what the operator did, or about the world in general, are not questions about the person. */
const notAboutPerson = new Wording(
  `^${opener}(?:must|did|may|can|could|am|will|would|was|have) (?:i|we)\\b(?! (?:ask|know|get|have|hear|see|talk|discuss|go|start|confirm|check|take|begin|please|just|also|clarify|briefly|quickly|first|maybe|perhaps|reach|write|contact|e-mail|email|note|look|do|help|request|gently|send|mail|trouble|bother|right|correct))|\\b(?:what |how |when |where |why )?(?:do|does|can|will|would|are) (?!you|your|the |he|she|it|they|any|this|that|these|there|i |we )(?:[\\w-]+ )?[\\w-]+s (?:usually|normally|often|always|generally|typically|ever)\\b|\\b(?:in general|generally speaking|most people|people in general|hypothetically|theoretically|for the average|does one(?! of\\b)|(?:is|are|do|does|can) such|for most (?:people|patients|workers)|some people|other people|other patients|other customers|a typical (?:patient|worker|customer)|in theory|in principle)\\b`,
);

/** A bare phrase: "Order number, please", "For the file: side of the fracture". */
const fragment = new Wording(
  /^(?!.*\b(?:is|are|was|were|am|have|has|had|will|would|can|could|should|must|may|might|do|does|did|i|we|you|he|she|it|they|thank|thanks|sorry|let)\b)(?:.*,? please\b|(?:for (?:the|my|our|your) (?:file|records?|notes?|form|report|intake note)|next|now|and|then)[,:] )/,
);

/** "Date of first symptoms": a few words without a verb, a person, or anything that is said of it. */
const naming =
  /^(?:(?:your|the|her|his|any|known|current|exact|full|and|now|next|just)[ ,:]+)*(?!(?:take|keep|give|bring|lie|watch|enjoy|rest|try|drink|eat|stay|sit|call|wait|hold|put|go|come|use|avoid|stop|start|mind|check|congratulations|apologies|condolences|regards|best|better|all|many|most|some|other|another|everyone|what|when|how|in|on|at|for|with|under|by|from|paying)\b)(?:(?!(?:is|are|was|were|am|be|been|has|had|have|will|would|can|could|should|must|may|might|do|does|did|i|we|you|he|she|it|they|me|us|that|this|thanks?|sorry|noted|understood|not|no|none|never|so|too|such|like|got|yes|good|great|poor|then|well|here|there|again|because|if|goes?|takes?|costs?|needs?|gets?|means?|comes?|counts?|rules?|apply|applies|makes?|helps?|let|only|up|out)\b)[\w'-]+(?:, | and | or | of (?:the |your |her |his |an? )?| in | at |[ /]|$)){1,4}$/;

/** "Swelling (left and right)" */
const bracketed = /(?<!\s)\s*\([^()]*\)/g;

/** "…, whenever you are ready" */
const readiness = new Wording(/, (?:then|first|whenever|if|when|as soon as|once)(?: you [\w ]+)?$/);

/** What a sentence is: a request for an answer, a thing named that is perhaps asked for, a request to do something, or none. */
export type SentenceKind = 'asks' | 'names' | 'orders' | 'says' | 'declines';

export function kindOf(
  sentence: string,
  how: { readonly marked: boolean; readonly closed: boolean },
): SentenceKind {
  const { marked, closed } = how;
  let core = leadIn.cutFrom(sentence);
  // "I do not mean to pry, but do you smoke?"
  if (marked) core = leadsToQuestion.cutFrom(core);
  const declines = declined.findIn(core);
  if (declines && !(marked && (startsAsking(core, closed) || questionTag.isIn(core)))) {
    // "Tell me your number, no need to spell it", "You do not have to say, but I would like to know why"
    const [before, after] = [core.slice(0, declines.start), asksAfterAll.cutFrom(core)];
    // What declines once more is not looked into: a sentence without end may decline without end.
    const asks =
      (/(?:,| and| but) $/.test(before) && kindOf(before, how) === 'asks') ||
      (after !== core && !declined.isIn(after) && kindOf(after, how) === 'asks');
    return asks ? 'asks' : 'declines';
  }
  if (notAboutPerson.isIn(core)) return 'says';
  if (marked) return 'asks';
  if (action.isIn(core) && !andTell.isIn(core)) return 'orders';
  if (requestInside.isIn(core) || given.isIn(sentence) || fragment.isIn(sentence)) return 'asks';
  if (startsAsking(core, closed)) return 'asks';
  return naming.test(readiness.cutFrom(sentence).replace(bracketed, '')) ? 'names' : 'says';
}

const leadsToQuestion = new Wording(
  /^.*, (?:but|so|well|and so) (?=(?:do|does|did|is|are|was|were|have|has|had|can|could|would|will|may|what|when|where|who|whom|which|why|how|whether)\b)/,
);

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

/** "To find your parcel, …", "If you have it at hand, …": what leads to a question is not the question. */
export const leadIn = new Wording(
  `^${opener}(?:(?:just )?(?:in order )?to (?!whom|what|which|where|how)\\w+|for (?!whom|what|which|how)\\w+|(?:just )?so (?:that|i|we)\\b|if\\b|in case\\b|as (?!of|for)|since (?!when|what|how)|because|although|though|even if|thank|thanks|sorry|i am|i apologi|i understand|i see|i know|i hope|i realise|given|with that|now that|assuming|happy|that is|it is|sometimes|regarding|as for|concerning|before (?:i|we)\\b|forgive me|pardon me|excuse me)(?:(?! [-\u2013\u2014] )[^,:])*(?:[,:]| [-\u2013\u2014])\\s+(?=\\S)`,
);

import { Wording } from './wording.ts';

/** What a message does besides asking: the courtesies that make a person open up, or close. */
export type Courtesy =
  | 'greeting'
  | 'introduction'
  | 'thanks'
  | 'empathy'
  | 'reassurance'
  | 'farewell'
  | 'insult'
  | 'howAreYou'
  | 'asksToBegin'
  | 'checksIn'
  | 'anythingElse';

/** The courtesies in a message (plain text, see `plainText`). */
export function courtesiesOf(text: string): readonly Courtesy[] {
  return kinds.filter(([, wording]) => wording.isIn(text)).map(([kind]) => kind);
}

const kinds: readonly (readonly [Courtesy, Wording])[] = [
  [
    'greeting',
    new Wording(
      /\b(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|welcome)\b|^(?:morning|afternoon|evening)(?:,? [a-z]+)?[.,!]/,
    ),
  ],
  [
    'howAreYou',
    new Wording(
      /\bhow (?:are you(?: doing| keeping| holding up| getting on| feeling today| today)?|are things(?: going)?|is (?:it|everything) going|do you do|is your day|have (?:you|things) been)\s*(?:today|these days)?(?:$|[.?!,])/,
    ),
  ],
  [
    'introduction',
    new Wording(
      /\b(?:my name is|i am (?:the|your|a|an|calling|here|with|from|going to|handling|looking after)|i work|this is (?!(?:an?|the|my|your|it|about|different|far) )[a-z]+(?: [a-z]+){0,2} (?:from|speaking|calling)|this is [a-z]+ (?:with|at)|(?:hello|hi|morning|afternoon|evening|day)[,.!;:]? this is (?:the|your)|i will be (?:handling|helping|looking|taking)|i handle|i look after)\b/,
    ),
  ],
  ['thanks', new Wording(/\b(?:thank you|thanks|appreciate|grateful)\b/)],
  [
    'empathy',
    new Wording(
      /\b(?:sorry (?:to hear|about|that|for|you|it|this)|so sorry|(?<!you )apologi[sz]e for|apologies for|regret (?:the|this|that)|(?:understand|imagine|share) your (?:frustration|disappointment|annoyance|anger|worry|worries|concerns?|upset|distress|hesitation)|(?:that|this|it|you) (?:must|sounds|sound) (?:be |have been |like |feel )?(?:a )?(?:really |very |so |quite )?(?:hard|tough|difficult|painful|worrying|stressful|frustrating|awful|upsetting|scary|frightening|rough|exhausting|tiring|uncomfortable|annoying|terrible|lot)|i (?:can )?(?:understand|imagine|see|hear) (?:how|that|why|you)|understandabl[ey]|i hear you|not easy|(?:every |quite )?right to be (?:annoyed|angry|upset|disappointed|frustrated|worried)|(?:how|that is|is very|is really) (?:annoying|frustrating|upsetting|disappointing)(?! (?:is|was|are|do|does|would))|i feel for you|poor (?:little )?(?:thing|girl|boy|child|you|soul)\b(?! (?:were|are|have|had))|i know how (?:hard|tough|wearing|tiring|painful|worrying|frightening|difficult)|that is (?:hard|tough|awful|understandable|terrible|frustrating|a (?:nuisance|shame|pity)))\b/,
    ),
  ],
  [
    'reassurance',
    new Wording(
      /\b(?:take your time|no rush|confidential(?:ly|ity)?|in confidence|between (?:us|you and (?:me|us))|(?:stays?|remains?) (?:here|between|private|with (?:me|us))|not judg\w*|no judg\w*|nobody will judge|(?:do|will|would) not (?:want to )?(?:blame|press|push) you|not (?:here )?to (?:blame|press|push) you|(?:nobody|no one) (?:else )?(?:blames|will blame|will know|will be told|will hear|is told|hears|will think the (?:less|worse))|(?:nobody|no one|not|never) (?:going to )?(?:will |would )?(?:hold|use) (?:it|that|this|anything) against you|you do not have to (?:tell|answer|say|explain)|no pressure|you lose nothing|costs you nothing|can only help you|you are not in trouble|will not (?:be held|affect|count|be used) |i am here to help|here to help|want to help|in your own words|no wrong answers?|safe to|you can be (?:open|honest)|anything you (?:say|tell)|whatever you (?:say|tell)|i (?:only )?ask (?:you )?(?:this |because |so )|asking (?:you )?(?:this |because |so |only |to (?:make|be) )|the reason (?:i am asking|i ask|for)|(?:that is |is |about )why i (?:ask|am asking)|i (?:only |just )?need (?:it|this|that) (?:only )?for (?:the|your|my)|(?:i|we) (?:always |have to |must |need to |routinely |just )*ask (?:this |that |these |it |them )?(?:questions? )?(?:of |to |in |with |for )?(?:everybody|everyone|anybody|anyone|every|each|all (?:of our|(?!of\b)))|(?:the |our[- ])?(?:law|rules|regulations?|regulator|authorities|policy) (?:requires?|obliges?|asks?|wants?|demands?|says? so|has us|have us|makes us|make us|depends? on)\b|by law\b|(?:i am|we are|banks are|the bank is|every bank is) (?:\w+ )?(?:required|obliged|obligated|bound) to (?:ask|know|check|verify|identify|record|establish|confirm|document|note|make sure|find out)|(?:i|we|the bank) (?:have|has) to know (?:who|whom|that|this|it)|because (?:i|we) (?:have to|must|need to|am|are) (?!not\b)(?:know|ask|write|note|record|put|understand|sure|required|obliged)|(?:every|each|all) (?:new )?(?:customer|client|company|patient|caller|person|one|case|applicant|account|application|transfer)s? (?:is|are|gets?|has to answer|have to answer) (?:asked|this|these|it|the same)|(?:and )?(?:here is|that is|this is|let me (?:say|tell you|explain)) why (?:i|we) ask|asked (?:of |in |with |for )(?:everybody|everyone|anybody|anyone|every|each|all)|(?:this|that|it) is (?:just |only |purely |pure |a matter of )*(?:routine|standard)|(?:protocol|obligatory) questions?|(?:needed|required|relevant) (?:for|to decide) (?:the|your|my|this|our) (?:decision|assessment|claim|case|file|form|note|record|report|triage|protocol)|no (?:offen[cs]e|suspicion)|(?:a |just |purely |only )formality|(?:required|obliged|bound) by law|legally (?:required|obliged|obligated|bound)|(?:legal|regulatory|statutory|mandatory|compulsory|standard|routine|compliance|due diligence) (?:requirement|obligation|duty|rule|regulation|procedure|process|practice|check|question|step|review|verification|matter|reason|ground)s?|standard part of our[- ]|part of our[- ](?:[\w-]+ ){0,2}(?:due diligence|duties|checks?|process|procedure|review)|mandatory (?:for|information)|(?:i|we) check [\w ]{1,30} routinely|(?:to protect|for the protection of) (?:you|your|our[- ]customers)|for your (?:own )?(?:protection|safety|security|sake)|(?:depends|rests|hangs) on (?:it|that|this|your answer)|(?:decides|determines|makes a difference to) (?:what|which|whether|how) (?:i|we|you|rules?|options?)|(?:to (?:make|be) sure|want to (?:make|be) sure|making sure) (?:that )?(?:you|nobody|no one|your|everything)|(?:not|never) (?:\w+ )?(?:to )?accus(?:e|ing) (?:you|anyone|anybody)|no (?:accusation|blame)|(?:scammers|fraudsters|swindlers) (?:often|sometimes|usually|like to|may|might|press|pressure|tell|ask|try)|(?:i|we) have seen (?:\w+ ){0,2}(?:scams|fraud)|not about (?:blame|guilt)|nothing personal|without (?:it|that|this|an answer|your answer),? (?:i|we) (?:can not|may not|am not able|are not able|am unable|are unable|must)|(?:can not|unable to) (?:go on|proceed|continue|decide) without|(?:do not|no need to|no reason to|nothing to|please never) worry|rest assured|not done anything wrong|(?:did|done) nothing wrong)\b/,
    ),
  ],
  [
    'farewell',
    new Wording(
      /\b(?:goodbye|bye|good night|have a (?:good|nice|great) (?:day|evening|weekend)|take care|all the best|that is all|that is everything)\b/,
    ),
  ],
  [
    'insult',
    new Wording(
      /\b(?:liar|you are lying|stupid|idiot|shut up|nonsense|ridiculous|do not believe you|faking|fake|hurry up|stop wasting|waste of time|your fault|get on with it)\b/,
    ),
  ],
  [
    'asksToBegin',
    new Wording(
      /\b(?:is (?:now|this|it)(?: still)? a (?:good|convenient|bad) (?:time|moment)|(?:do you have|have you got|got) (?:a|a few|a couple of|some|two|five|ten) (?:moments?|minutes?)|are you ready|(?:shall|can|could|may|should) (?:we|i) (?:begin|start|get started|go on|continue|proceed|go ahead|move on|carry on)|(?:may|can|could|might) i ask you (?:a few|some|a couple of|several|one or two) (?:more |quick |short |further )?(?:questions|things))\b/,
    ),
  ],
  [
    'checksIn',
    new Wording(
      /\b(?:(?:does|do) (?:that|this|all (?:that|this|of that)|everything|it) (?:all )?(?:make sense|sound (?:good|okay|ok|all right|fine|fair|right|reasonable)|work for you)|how does that sound|would that work(?: for you)?(?=[.?!,]|$)|(?:is|would) (?:that|this|it) (?:be )?(?:okay|ok|alright|all right|fine|acceptable)(?: (?:with|for|by) you)?(?=[.?!,]|$))/,
    ),
  ],
  [
    'anythingElse',
    new Wording(
      /\bis there anything (?:else|more|further)(?: (?:that )?(?:(?:i|we) (?:can|could|should|need|may)|you (?:would like|want|wish|need|can think|feel|have)|on your mind|for (?:now|today)|before)\b[^.?!]*)?(?=[.?!]|$)|(?:^|[.?!,] *)(?:and )?anything else(?: (?:that )?(?:i|we) (?:can|should|need to|ought to)\b[^.?!]*| (?:that )?you (?:would like|want|wish)\b[^.?!]*| to (?:add|say|mention|note|tell me|share)| from you| for (?:now|today))?(?=[.?!]|$)|\b(?:do you have )?any (?:other |more |further )?(?:questions|concerns)(?: (?:for me|so far|about (?:that|this|what)\b[^.?!]*|at this point|before\b[^.?!]*))?(?=[.?!]|$)/,
    ),
  ],
];

/** Nothing but "How are things going?" or "Anything else?": whatever its words may be used for elsewhere. */
export function isSmallTalk(text: string): boolean {
  return onlySmallTalk.test(text);
}

const onlySmallTalk =
  /^(?:and |so |well |but |now )*(?:how (?:are you|are things|is (?:it|everything)|have (?:you|things) been)(?: doing| going| keeping| holding up| getting on)?(?: today| these days)?|anything else(?: (?:(?:i|we) should know|(?:you would like )?to (?:add|say|mention|note|tell me|share)|from you|for now|for today))?)$/;

/** How a person talks: one of several lines, chosen by the turn, so that the same messages give the same answers. */
export type LineName =
  | 'greeting'
  | 'howAreYou'
  | 'ready'
  | 'nothingElse'
  | 'thanks'
  | 'empathy'
  | 'farewell'
  | 'insult'
  | 'notUnderstood'
  | 'tooMuch'
  | 'more'
  | 'again'
  | 'deflect'
  | 'notYet'
  | 'mustGo'
  | 'refuse'
  | 'listening'
  | 'sameAgain'
  | 'waits'
  | 'closing';

const plain: Readonly<Record<LineName, readonly string[]>> = {
  greeting: ['Hello.', 'Hi.', 'Good day.'],
  howAreYou: ['I am getting by, thank you.', 'I have been better.'],
  ready: ['Yes, go ahead.', 'Sure, go on.'],
  nothingElse: ['Not that I can think of.', 'No, I think that is all.'],
  thanks: ['You are welcome.', 'Of course.', 'No problem.'],
  empathy: ['Thank you.', 'I appreciate that.', 'Thanks, it helps to hear that.'],
  farewell: ['Goodbye.', 'All right, goodbye.'],
  insult: ['There is no need to talk to me like that.', 'I do not like your tone.'],
  notUnderstood: [
    'I am not sure what you are asking.',
    'I could not tell you, I am afraid.',
    'I do not know what you mean by that. Can you put it differently?',
    'Sorry, I do not follow.',
  ],
  tooMuch: [
    'That is too much at once. What would you like to know first?',
    'Hold on, one thing at a time, please.',
  ],
  more: ['You asked about something else too; let us take that next.', 'What was the rest of your question?'],
  again: ['As I said:', 'Again:', 'Like I told you:'],
  deflect: [
    'I would rather not go into that right now.',
    'That is a bit personal.',
    'I do not feel comfortable talking about that yet.',
  ],
  notYet: ['There is nothing to say about that yet.', 'I cannot tell you that yet.'],
  mustGo: ['I will have to go in a moment.', 'I do not have much more time.'],
  refuse: ['That is not something I can talk about.', 'I would rather leave that.'],
  listening: ['All right.', 'I see.', 'Okay.', 'Yes, go on.'],
  sameAgain: ['You just said that.', 'You are repeating yourself.'],
  waits: ['(waits)'],
  closing: ['Thank you. Goodbye.'],
};

const manners: Readonly<Record<string, Partial<Record<LineName, readonly string[]>>>> = {
  plain: {},
  curt: {
    greeting: ['Hello.', 'Yes?'],
    howAreYou: ['Fine.'],
    ready: ['Go on.', 'Yes.'],
    nothingElse: ['No.', 'That is it.'],
    thanks: ['Sure.', 'Fine.'],
    empathy: ['Right.', 'Okay.'],
    listening: ['And?', 'Okay.', 'Go on.'],
    notUnderstood: ['What do you mean?', 'No idea what you are asking.', 'Say that again, plainly.'],
    again: ['I told you already:', 'Same as before:'],
    notYet: ['Nothing yet.', 'Too early for that.'],
    mustGo: ['I have to go soon.', 'I have to go in a minute.'],
    closing: ['Fine. Bye.'],
  },
  chatty: {
    greeting: ['Oh, hello there!', 'Hi, good to finally talk to someone!', 'Good day to you!'],
    howAreYou: [
      'Oh, you know, mustn’t grumble, one day after another.',
      'Well, I have had better weeks, let me tell you.',
    ],
    ready: ['Oh yes, go right ahead!', 'Sure, ask away, I have got all day.'],
    nothingElse: ['No, dear, I do not think so.', 'Hm, let me think… no, that was it.'],
    thanks: ['Oh, you are very welcome!', 'Not at all, not at all.'],
    empathy: ['Oh, that is kind of you to say.', 'Bless you, thank you.'],
    listening: ['Mm-hm, right you are.', 'Well, yes, I suppose so.', 'I see, I see.'],
    notUnderstood: [
      'Oh dear, I am not quite with you there.',
      'Hm, I would not know what to tell you about that.',
    ],
    again: ['Like I was saying before:', 'Well, as I said:'],
    notYet: [
      'Oh, there is nothing to tell about that yet.',
      'It is too early for that, I could not tell you yet.',
    ],
    mustGo: [
      'Oh, look at the time, I must be off in a moment.',
      'I could go on for hours, but I must go soon.',
    ],
    closing: ['Thank you so much, you take care now. Bye!'],
  },
  anxious: {
    greeting: ['Hello… thanks for seeing me.', 'Hi. Sorry, I am a bit nervous.'],
    howAreYou: ['A bit worried, to be honest.', 'Not great, I have to say.'],
    ready: ['Yes… yes, go ahead.', 'Okay. I am listening.'],
    nothingElse: ['No, I do not think so.', 'I hope that is all.'],
    empathy: ['Thank you, that means a lot.', 'It has been hard, so thank you.'],
    listening: ['Okay… is that bad?', 'All right.', 'Okay. What happens now?'],
    notUnderstood: ['Sorry, I do not understand the question.', 'I am sorry, what do you mean?'],
    deflect: [
      'I… would rather not say. Is that going to be held against me?',
      'Do I have to talk about that?',
    ],
    notYet: ['I… do not know anything about that yet.', 'I cannot say yet. Should I know?'],
    mustGo: ['I am sorry, I have to go in a moment.', 'I… do not have much time left, sorry.'],
    closing: ['Okay. Thank you. I hope it works out.'],
  },
};

export const mannerNames: readonly string[] = Object.keys(manners);

/** One line of a manner; the scenario's own lines come first. */
export function lineOf(
  name: LineName,
  options: { manner: string; own: Readonly<Record<string, string>>; turn: number },
): string {
  const own = Object.hasOwn(options.own, name) ? options.own[name] : undefined;
  if (own !== undefined) return own;
  const manner = Object.hasOwn(manners, options.manner) ? manners[options.manner]! : {};
  const lines = manner[name] ?? plain[name];
  return lines[options.turn % lines.length]!;
}

import { Wording } from './wording.ts';

/** What tells that something need not be told. Matched on plain lower-case text. */

const withoutAsking =
  '(?:\\w+ )?(?:want|wish|need|ask|care|going|asking|interested|require|mean|inquire|enquire|inquiring|after)';
const telling =
  '(?:tell|say|describe|explain|mention|share|answer|talk|give|go into|quote|read|repeat|list|name|spell|rate|recite|justify|disclose|reveal|state|specify)';

/** Nobody wants to know it, nobody has to say it, or it is known already. */
export const declined = new Wording(
  [
    'not (?:when|where|how|who|why)',
    `(?<!\\b(?:we|i|they|that) )do not (?:\\w+ )?(?:${telling}|feel (?:obliged|bound))`,
    '^(?:please )?do not (?:worry|bother)',
    `(?:i|we) (?:do|will|would|am|are|did|shall|must|have) not ${withoutAsking}`,
    '(?:i|we) (?:am|are|have|was) not (?:here|come|calling) to',
    '(?:i|we) (?:really |also |still |just )?(?:need|want|ask|require) (?:you |for |to know |to hear )?(?:no(?! longer)|nothing|none)\\b',
    'you (?:do|will|would) not (?:have|need|want) to|you (?:need not|(?:must|should) not (?:tell|say|answer|explain))',
    `${telling} (?:me |us )?nothing`,
    'no need|need not|never mind|spare (?:me|us) (?:the|your)|forget (?:about|what|that|it|the|your)|not (?:yet )?asking',
    '(?:leave|leaving|put|set) (?:aside|out)\\b|(?:leave|put|set) .{1,60}\\b(?:aside|out of (?:it|this)|for (?:later|another|now|the doctor))|(?:^|so |please )leave (?:it|that|this)$',
    '(?:can|may|will|shall|let us|please) (?:be )?(?:skip|skipped|pass over|drop|left (?:out|aside))',
    'skip (?:the|your|over|that|it)|pass (?:it|that|this)? ?over|without (?:telling|asking|going)',
    'is (?:not (?:relevant|important|necessary|required|needed|of interest|(?:my|our) (?:concern|business|affair))|unnecessary|needless|irrelevant|immaterial)|does not matter|regardless of',
    '(?<!did you |do you |have you |you )already (?:know|have|told|noted|understand)',
    '(?<!\\b(?:may|can|could|if|once|before|that|until|unless|when|should|must|might|do|will) )i know (?:about|that|when|where|how|what|which|whether|who|why|your|the)',
    '(?:is|are) (?:already )?(?:known|noted|recorded|printed|on (?:record|file|my screen))(?: here| already)*$',
    '(?:i|we) (?:have|see|found|can see|noted|wrote down) (?:found |got |noted |read )?(?:the|your|her|his|that|this) (?:(?!but\\b)\\w+ ){1,6}(?:already|(?:here )?on (?:my|the|our) (?:screen|form|list|file)|in front of me|here)\\b',
    '\\bno (?:\\w+ ){1,2}(?:needed|required|necessary)$|so no [\\w ]+ please$',
    '(?:another|some other) time$|(?:another|some other) time (?:what|how|when|where|who|why)',
    'i will (?:ask|get to|come to)|you may wonder|you might ask',
  ]
    .map((form) => `\\b(?:${form})`)
    .join('|'),
);

/** "You do not have to say, but it would help us to know why." */
export const asksAfterAll = new Wording(/^.*?,? (?:but|though|yet|only|just|so|and) (?=.)/);

/** "…, do you?" */
export const questionTag = new Wording(
  /, (?:do|does|did|is|are|was|were|have|has|had|can|could|would|will) (?:you|he|she|it|they|there|your \w+)$/,
);

/** What anybody may be asked, whoever they are, and the patterns that hear it: `person.general` gives the answers. */
export const generalQuestions = {
  name: [
    '=your =name|names|surname',
    '=who =am =speaking|talking',
    '=who =are =you',
    '=call =you ?what|should|may|can',
  ],
  age: [
    '=how_old !is|was|did',
    '=age|aged ?you|your|what|is|me',
    '=date_of_birth|birthday|born ?your|you|when|were|what|is',
  ],
  feeling: [
    '=you|your =feel|feeling|mood|coping|spirits ?how|now|today|right|moment|are|do',
    '=are =you =worried|scared|nervous|upset|anxious',
  ],
  company: [
    '=alone|company ?you|your|right|now|home|anyone|are',
    '=anyone|anybody|someone|somebody ?is|with|you|right|now|at|home|there|around|here',
  ],
  home: ['=where =live ?you|do|now', '=your =address|home ?what|is|where'],
  work: ['=what|which =work|job|profession|occupation|living =you|your ?do|for|a|is'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type GeneralQuestion = keyof typeof generalQuestions;

/** How a person talks, where its scenario gives it no lines of its own. */
export const mannerNames = ['plain', 'curt', 'chatty', 'anxious'] as const;

/** What a person says that tells no fact. */
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
  | 'notKnown'
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

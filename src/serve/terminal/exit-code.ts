/** What `whet` answers to the shell. */
export const exitCode = {
  /** Done, and the answer is yes. */
  ok: 0,
  /** Done, and the answer is no: a check found faults, an episode failed. */
  no: 1,
  /** Not done: the command line or its input was wrong. */
  usage: 2,
  /** Not done: something broke. */
  broken: 3,
} as const;

import type { GradeNumbers } from '../../grade/episode/outcome.ts';
import type { PersonFault } from '../../grade/score/grade.ts';
import type { GradeNumbers as GradeNumbersView, PersonFault as PersonFaultView } from '../api/grade.ts';

export function writeNumbers({ notJudged, personFault, ...numbers }: GradeNumbers): GradeNumbersView {
  return { ...numbers, ...writeFaults({ notJudged, personFault }) };
}

/** What is not the model's fault: said with the numbers wherever they are. */
export function writeFaults({
  notJudged,
  personFault,
}: {
  readonly notJudged: number | undefined;
  readonly personFault: GradeNumbers['personFault'] | undefined;
}): Pick<GradeNumbersView, 'not_judged' | 'person_fault'> {
  return {
    ...(notJudged !== undefined && { not_judged: notJudged }),
    ...(personFault && { person_fault: writePersonFault(personFault) }),
  };
}

export function writePersonFault({
  asked,
  notUnderstood,
  fellBack,
}: Omit<PersonFault, 'reason'>): PersonFaultView {
  return { asked, not_understood: notUnderstood, ...(fellBack !== undefined && { fell_back: fellBack }) };
}

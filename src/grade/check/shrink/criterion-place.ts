import { isJsonObject } from '../../../base/json/value.ts';
import type { SourceLocation } from '../../scenario/diagnostic.ts';
import { listOf } from '../../scenario/json-list.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { CriterionGrade } from '../../score/grade.ts';
import { nameOf } from './target.ts';

/** Where the author wrote what a criterion is: the line to mend. */
export function placeOfCriterion({ template, source }: Scenario, criterion: CriterionGrade): SourceLocation {
  const id = nameOf(criterion).replace(/:exemplar$/, '');
  const criteria = isJsonObject(template['criteria']) ? template['criteria'] : {};
  const lists = [
    ...Object.entries(criteria).map(([group, list]) => ({ path: ['criteria', group], list })),
    ...['expect', 'facts', 'tools'].map((name) => ({ path: [name], list: template[name] })),
  ];
  const first = { fact: 'facts', call: 'expect', output: 'expect', stray_call: 'tools' }[criterion.kind];
  // A fact, a call and a criterion may have one name: the kind says which of them is meant.
  for (const { path, list } of lists.toSorted(
    (a, b) => Number(b.path[0] === first) - Number(a.path[0] === first),
  )) {
    const index = listOf(list).findIndex((one) => isJsonObject(one) && (one['id'] ?? one['call']) === id);
    if (index >= 0) return source.locate([...path, index]);
  }
  return source.locate([]);
}

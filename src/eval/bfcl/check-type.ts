import { repr } from '../python/repr.ts';
import type { PythonValue } from '../python/value.ts';
import { type Finding, finding, shown } from './finding.ts';
import { itemsOf, typeOf, type TypeName } from './value.ts';

/** What a value's type comes to: a finding, or whether a variable is meant, which is then compared as it is. */
export type TypeVerdict = { readonly isVariable: boolean } | Finding;

/**
 * Whether a value has the type that is declared, or that of the first possible answer. The items of a list are checked
 * against those of each possible answer, one level deep.
 */
export function checkType(
  parameter: string,
  value: PythonValue,
  { type, inner, allowed }: { type: TypeName; inner: TypeName | undefined; allowed: readonly PythonValue[] },
): TypeVerdict {
  const answer = allowed.find((each) => each !== '');
  const answerType = answer === undefined ? undefined : typeOf(answer);
  const given = typeOf(value);
  const isVariable = answerType !== undefined && answerType !== type;
  let isNested = false;
  if (given === type) {
    if (inner === undefined) return { isVariable };
    const fits = (each: PythonValue): boolean =>
      // An answer that is not a list, such as the "" of what may be left out, leaves the items unchecked.
      typeOf(each) !== 'list' ||
      itemsOf(value).every(
        (item) =>
          !('type' in checkType(parameter, item, { type: inner, inner: undefined, allowed: itemsOf(each) })),
      );
    if (allowed.some(fits)) return { isVariable };
    isNested = true;
  }
  if (answerType === given) {
    if (!isNested) return { isVariable: true };
    return finding(
      'type_error:nested',
      `“${parameter}” is a list whose items should be ${inner}: ${shown(repr(value))}.`,
    );
  }
  return finding(
    'type_error:simple',
    `“${parameter}” should be ${type}, not ${given}: ${shown(repr(value))}.`,
  );
}

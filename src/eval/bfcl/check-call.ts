import { wrong } from '../python/field.ts';
import { repr } from '../python/repr.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { checkType } from './check-type.ts';
import { checkEqual, checkValue } from './check-value.ts';
import type { Version } from './category.ts';
import { type Finding, finding, shown } from './finding.ts';
import type { Language } from './language.ts';
import type { Description, ExpectedCall } from './question.ts';
import { isDict, typeOf } from './value.ts';

/** How calls of one line are checked. */
export interface CallRules {
  readonly version: Version;
  readonly language: Language;
  /** Whether the provider takes no `.` in names, so that the model was told of them with `_`. */
  readonly underscoreForDot: boolean;
}

/** What is wrong first with a call: its name, what it lacks, each argument in its order, what it may not leave out. */
export function checkCall(
  call: PythonDict,
  description: Description,
  expected: ExpectedCall,
  rules: CallRules,
): Finding | undefined {
  const name = rules.underscoreForDot ? description.name.replaceAll('.', '_') : description.name;
  const given = call.get(name);
  if (given === undefined) {
    const called = [...call.keys()].join(', ');
    return finding(
      'simple_function_checker:wrong_func_name',
      `The call should be of “${name}”, not of “${called}”.`,
    );
  }
  const parameters: PythonDict = isDict(given) ? given : new Map();
  for (const required of description.required) {
    if (!parameters.has(required as string))
      return finding(
        'simple_function_checker:missing_required',
        `“${repr(required)}” is required, and is not given.`,
      );
  }
  for (const [parameter, value] of parameters) {
    const allowed = expected.parameters.get(parameter);
    const declared = description.parameters.get(parameter);
    if (allowed === undefined || declared === undefined)
      return finding('simple_function_checker:unexpected_param', `“${parameter}” should not be given.`);
    const fault = checkArgument({ parameter, value, allowed, declared }, rules);
    if (fault !== undefined) return fault;
  }
  for (const [parameter, allowed] of expected.parameters) {
    if (!parameters.has(parameter) && !allowed.includes(''))
      return finding('simple_function_checker:missing_optional', `“${parameter}” may not be left out here.`);
  }
  return undefined;
}

interface Argument {
  readonly parameter: string;
  readonly value: PythonValue;
  readonly allowed: readonly PythonValue[];
  readonly declared: PythonValue;
}

function checkArgument(
  { parameter, value: given, allowed, declared }: Argument,
  { version, language }: CallRules,
): Finding | undefined {
  const place = `function.parameters.properties.${parameter}`;
  const word = memberOf(declared, 'type', place);
  const type = language.types.get(word) ?? wrong(word, `${place}.type`, 'a type of the category’s language');
  const innerWord = language.lists.has(word)
    ? memberOf(isDict(declared) ? (declared.get('items') ?? null) : null, 'type', `${place}.items`)
    : undefined;
  const inner =
    innerWord === undefined
      ? undefined
      : (language.types.get(innerWord) ??
        wrong(innerWord, `${place}.items.type`, 'a type of the category’s language'));
  let value = given;
  if (language.text !== undefined) {
    if (typeof given !== 'string') {
      return finding(
        language.text.error,
        `“${parameter}” should be a text in the language, not ${typeOf(given)}: ${shown(repr(given))}.`,
      );
    }
    value = language.text.read(given, word, innerWord);
  } else if (word === 'tuple') {
    value = listOfTuple(given);
  } else if (word === 'float' && typeof given === 'bigint') {
    value = Number(given);
  }
  const verdict = checkType(parameter, value, { type, inner, allowed });
  if ('type' in verdict) return verdict;
  return verdict.isVariable
    ? checkEqual(parameter, value, allowed)
    : checkValue(parameter, value, { type, inner, allowed, version });
}

function memberOf(value: PythonValue, key: string, place: string): string {
  const member = isDict(value) ? value.get(key) : undefined;
  return typeof member === 'string' ? member : wrong(member, `${place}.${key}`, 'a text');
}

function listOfTuple(value: PythonValue): PythonValue {
  return typeOf(value) === 'tuple' ? (value as PythonDict).get('$tuple')! : value;
}

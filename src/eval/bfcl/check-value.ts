import { repr } from '../python/repr.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import type { Version } from './category.ts';
import { type Finding, finding, shown } from './finding.ts';
import { isAmong, isDict, itemsOf, type TypeName } from './value.ts';

/** Whether a value of the right type is among the possible answers, as values of its type are compared. */
export function checkValue(
  parameter: string,
  value: PythonValue,
  {
    type,
    inner,
    allowed,
    version,
  }: {
    readonly type: TypeName;
    readonly inner: TypeName | undefined;
    readonly allowed: readonly PythonValue[];
    readonly version: Version;
  },
): Finding | undefined {
  if (type === 'dict') return checkDict(parameter, value, allowed, version);
  if (type === 'list' && inner === 'dict') return checkDicts(parameter, value, allowed, version);
  if (type === 'str') {
    const isMet = isAmong(standardized(value), allowed.map(standardized));
    return isMet ? undefined : unequal('value_error:string', parameter, value, allowed);
  }
  if (type === 'list') {
    const isMet = isAmong(standardizedItems(value), allowed.map(standardizedItems));
    return isMet ? undefined : unequal('value_error:list/tuple', parameter, value, allowed);
  }
  return checkEqual(parameter, value, allowed);
}

/** Python's equality alone: of numbers, booleans, and of what represents a variable. */
export function checkEqual(
  parameter: string,
  value: PythonValue,
  allowed: readonly PythonValue[],
): Finding | undefined {
  return isAmong(value, allowed) ? undefined : unequal('value_error:others', parameter, value, allowed);
}

/** A dict meets the first possible answer that it fits; the last one that it does not is what is found. */
function checkDict(
  parameter: string,
  value: PythonValue,
  allowed: readonly PythonValue[],
  version: Version,
): Finding | undefined {
  let found = finding('dict_checker:unclear', `“${parameter}” has no possible answer that is an object.`);
  for (const answer of allowed) {
    if (answer === '') continue;
    const fault = isDict(answer) && isDict(value) ? checkMembers(parameter, value, answer, version) : found;
    if (fault === undefined) return undefined;
    found = fault;
  }
  return found;
}

function checkMembers(
  parameter: string,
  value: PythonDict,
  answer: PythonDict,
  version: Version,
): Finding | undefined {
  if (version === '2024-08' && value.size !== answer.size) {
    return finding(
      'value_error:dict_items',
      `“${parameter}” should have ${answer.size} members, and has ${value.size}.`,
    );
  }
  const fault = firstFault(parameter, value, answer, version);
  if (version === '2024-08') return fault;
  for (const [key, allowed] of answer) {
    // Where the answer is a text and no list of texts, Python finds "" in it.
    if (!value.has(key) && typeof allowed !== 'string' && !isAmong('', itemsOf(allowed)))
      return finding('value_error:dict_key', `“${parameter}” lacks the member “${key}”.`);
  }
  return fault;
}

function firstFault(
  parameter: string,
  value: PythonDict,
  answer: PythonDict,
  version: Version,
): Finding | undefined {
  for (const [key, member] of value) {
    const place = `${parameter}.${key}`;
    const allowed = answer.get(key);
    if (allowed === undefined)
      return finding('value_error:dict_key', `“${parameter}” should not have the member “${key}”.`);
    if (version === '2024-08' && isDict(allowed)) {
      const fault = checkDict(place, member, [allowed], version);
      if (fault !== undefined) return fault;
      continue;
    }
    const answers = itemsOf(allowed);
    if (!isAmong(standardized(member), answers.map(standardized)))
      return unequal('value_error:dict_value', place, member, answers);
  }
  return undefined;
}

/** Lists of dicts are compared in their order. */
function checkDicts(
  parameter: string,
  value: PythonValue,
  allowed: readonly PythonValue[],
  version: Version,
): Finding | undefined {
  const items = itemsOf(value);
  let found = finding('list_dict_checker:unclear', `“${parameter}” has no possible answer.`);
  for (const answer of allowed) {
    const expected = itemsOf(answer);
    if (items.length !== expected.length) {
      found = finding(
        'value_error:list_dict_count',
        `“${parameter}” should have ${expected.length} items, and has ${items.length}.`,
      );
      continue;
    }
    const fault = firstOf(items, (item, index) =>
      checkDict(`${parameter}[${index}]`, item, [expected[index]!], version),
    );
    if (fault === undefined) return undefined;
    found = fault;
  }
  return found;
}

function firstOf<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => Finding | undefined,
): Finding | undefined {
  for (const [index, item] of items.entries()) {
    const found = check(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text without the signs and spaces in which dates and names are written in more ways than one; all else as it is. */
function standardized(value: PythonValue): PythonValue {
  if (typeof value !== 'string') return value;
  return value
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}

function standardizedItems(value: PythonValue): PythonValue[] {
  return itemsOf(value).map(standardized);
}

function unequal(
  type: string,
  parameter: string,
  value: PythonValue,
  allowed: readonly PythonValue[],
): Finding {
  return finding(
    type,
    `“${parameter}” is ${shown(repr(value))}, which is none of ${shown(allowed.map(repr).join(', '))}.`,
  );
}

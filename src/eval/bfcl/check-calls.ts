import { wrong } from '../python/field.ts';
import type { PythonDict, PythonValue } from '../python/value.ts';
import { type CallRules, checkCall } from './check-call.ts';
import { type Finding, finding } from './finding.ts';
import { languages } from './language.ts';
import type { Description, ExpectedCall, Question } from './question.ts';
import { isDict } from './value.ts';

/** What is wrong first with the calls of an answer; `null` is an answer in which no call could be read. */
export function checkCalls(
  calls: PythonValue,
  question: Question,
  underscoreForDot: boolean,
): Finding | undefined {
  const { version, category, expected } = question;
  if (category.judgement === 'no-call' || category.judgement === 'some-call')
    return checkPresence(calls, question);
  if (calls === null) return finding('ast_decoder:decoder_failed', 'No call could be read from the answer.');
  if (!isListOfCalls(calls, question)) {
    return finding(
      'ast_decoder:decoder_wrong_output_format',
      'The answer should be a list of objects, one a call.',
    );
  }
  const rules: CallRules = { version, language: languages[category.language], underscoreForDot };
  if (category.judgement === 'parallel') return checkInAnyOrder(calls, question, rules);
  if (calls.length !== 1) {
    return finding(
      `${category.judgement}_function_checker:wrong_count`,
      `One call is expected, not ${calls.length}.`,
    );
  }
  const [first] = expected;
  const description =
    category.judgement === 'simple' ? question.functions[0] : descriptionOf(first!, question);
  return checkCall(calls[0]!, description ?? undescribed(first!), first!, rules);
}

/** Each expected call takes the first call that fits it and is not taken; nothing is given back. */
function checkInAnyOrder(
  calls: readonly PythonDict[],
  question: Question,
  rules: CallRules,
): Finding | undefined {
  const { expected } = question;
  if (calls.length !== expected.length) {
    return finding(
      'parallel_function_checker_no_order:wrong_count',
      `${expected.length} calls are expected, not ${calls.length}.`,
    );
  }
  const taken = new Set<number>();
  for (const [position, each] of expected.entries()) {
    const description = descriptionOf(each, question);
    if (description === undefined) {
      if (rules.version === 'v4') undescribed(each);
      return finding(
        'parallel_function_checker_no_order:cannot_find_description',
        `No function is described that could be “${each.name}”.`,
      );
    }
    const faults: string[] = [];
    const found = calls.findIndex((call, index) => {
      if (taken.has(index)) return false;
      const fault = checkCall(call, description, each, rules);
      if (fault !== undefined) faults.push(`Call ${index}: ${fault.reasons.join(' ')} (${fault.type})`);
      return fault === undefined;
    });
    if (found === -1) {
      return finding(
        'parallel_function_checker_no_order:cannot_find_match',
        `No call is what is expected as call ${position} (“${each.name}”).`,
        ...faults,
      );
    }
    taken.add(found);
  }
  return undefined;
}

/** In 2024-08 the first description whose name is part of the expected one, which may be numbered; in v4 the same name. */
function descriptionOf({ name }: ExpectedCall, { functions, version }: Question): Description | undefined {
  return functions.find((each) => (version === '2024-08' ? name.includes(each.name) : each.name === name));
}

function undescribed({ name }: ExpectedCall): never {
  return wrong(undefined, 'function', `a description of “${name}”`);
}

/** In v4 each object has one member, the name of the function, which holds the arguments. */
function isListOfCalls(calls: PythonValue, { version }: Question): calls is PythonDict[] {
  if (!Array.isArray(calls) || !calls.every(isDict)) return false;
  return version === '2024-08' || calls.every((call) => call.size === 1 && isDict([...call.values()][0]));
}

function checkPresence(calls: PythonValue, question: Question): Finding | undefined {
  const isEmpty =
    !isListOfCalls(calls, question) || calls.length === 0 || (calls.length === 1 && calls[0]!.size === 0);
  if (question.category.judgement === 'some-call') {
    return isEmpty
      ? finding('relevance_error:decoder_failed', 'A call is expected, and none could be read.')
      : undefined;
  }
  if (isEmpty) return undefined;
  const kind = question.version === '2024-08' ? 'relevance' : 'irrelevance';
  return finding(`${kind}_error:decoder_success`, 'No call is expected, for no function fits the question.');
}

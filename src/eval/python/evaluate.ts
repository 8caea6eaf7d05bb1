import { PythonException, typeError } from './exception.ts';
import { arithmetic, divide, floorDivide, power, type PythonNumber, round, toFloat } from './number.ts';
import { type Expression, parseExpression } from './expression.ts';
import { reprOfFloat } from './repr.ts';

/** What an expression of numbers, operators and parentheses can come to. */
type Operand = PythonNumber | 'tuple' | 'ellipsis' | 'complex';

/** `str(round(float(eval(text)), 2))`, for a text of digits, `+ - * / ( ) .` and spaces; Python's own error where it raises one. */
export function calculate(text: string): string {
  const value = evaluate(parseExpression(text));
  if (typeof value === 'string') {
    throw typeError(`float() argument must be a string or a real number, not '${value}'`);
  }
  return reprOfFloat(Number(round(toFloat(value), 2)));
}

function evaluate(expression: Expression): Operand {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'tuple':
    case 'ellipsis':
      return expression.kind;
    case 'sign': {
      const value = evaluate(expression.operand);
      if (value === 'tuple' || value === 'ellipsis') {
        throw typeError(`bad operand type for unary ${expression.operator}: '${value}'`);
      }
      if (value === 'complex') return value;
      return expression.operator === '-' ? -value : value;
    }
    case 'operation':
      return operate(expression.operator, evaluate(expression.left), evaluate(expression.right));
    case 'call':
      return call(evaluate(expression.callee), expression);
  }
}

function call(callee: Operand, { stars }: Extract<Expression, { kind: 'call' }>): never {
  for (const { operator, operand } of stars) {
    const value = evaluate(operand);
    if (operator === '*' && value !== 'tuple') {
      throw typeError(`${shown(callee)} argument after * must be an iterable, not ${nameOf(value)}`);
    }
    if (operator === '**') {
      throw typeError(`${shown(callee)} argument after ** must be a mapping, not ${nameOf(value)}`);
    }
  }
  throw typeError(`'${nameOf(callee)}' object is not callable`);
}

function shown(value: Operand): string {
  if (value === 'tuple') return '()';
  if (value === 'ellipsis') return 'Ellipsis';
  return typeof value === 'number' ? reprOfFloat(value) : String(value);
}

function nameOf(value: Operand): string {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? 'int' : 'float';
}

function operate(operator: string, left: Operand, right: Operand): Operand {
  if (typeof left !== 'string' && typeof right !== 'string') return ofNumbers(operator, left, right);
  if (left === 'tuple' && operator === '+') {
    if (right === 'tuple') return 'tuple';
    throw typeError(`can only concatenate tuple (not "${nameOf(right)}") to tuple`);
  }
  if (operator === '*' && (left === 'tuple' || right === 'tuple')) {
    const times = left === 'tuple' ? right : left;
    if (typeof times === 'bigint') return 'tuple';
    throw typeError(`can't multiply sequence by non-int of type '${nameOf(times)}'`);
  }
  const isArithmetic = (value: Operand): boolean => typeof value !== 'string' || value === 'complex';
  if (isArithmetic(left) && isArithmetic(right) && operator !== '//') {
    if (operator === '/' && typeof right !== 'string' && Number(right) === 0) {
      throw new PythonException('ZeroDivisionError', 'complex division by zero');
    }
    return 'complex';
  }
  const shownOperator = operator === '**' ? '** or pow()' : operator;
  throw typeError(
    `unsupported operand type(s) for ${shownOperator}: '${nameOf(left)}' and '${nameOf(right)}'`,
  );
}

function ofNumbers(operator: string, left: PythonNumber, right: PythonNumber): Operand {
  switch (operator) {
    case '/':
      return divide(left, right);
    case '//':
      return floorDivide(left, right);
    case '**':
      return power(left, right) ?? 'complex';
    default:
      return arithmetic(operator as '+' | '-' | '*', left, right);
  }
}

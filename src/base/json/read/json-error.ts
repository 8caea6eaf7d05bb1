import { type ErrorCode, WhetstoneError } from '../../host/errors.ts';

/** Where a text was refused. `offset` counts UTF-16 units from 0; `line` and `column` from 1. */
export interface JsonPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The error for a text that is not JSON. `found` is absent where the text ended. */
export function refuseText(
  expected: string,
  found: string | undefined,
  position: JsonPosition,
): WhetstoneError {
  const { offset, line, column } = position;
  const code: ErrorCode = found === undefined ? 'json_incomplete' : 'json_syntax';
  const what = found === undefined ? 'the text ended' : `found ${printCharacter(found)}`;
  return new WhetstoneError(
    code,
    `Not JSON at line ${line}, column ${column} (offset ${offset}): expected ${expected}, ${what}.`,
    { details: { offset, line, column, expected, ...(found === undefined ? {} : { found }) } },
  );
}

export function refuseLimit(
  limit: 'depth' | 'length' | 'members',
  allowed: number,
  position: JsonPosition,
): WhetstoneError {
  const { offset, line, column } = position;
  const what = {
    depth: `is nested deeper than ${allowed} levels`,
    length: `is longer than ${allowed} characters`,
    members: `has a container with more than ${allowed} members`,
  }[limit];
  return new WhetstoneError(
    'json_limit',
    `The JSON text ${what} at line ${line}, column ${column} (offset ${offset}).`,
    { details: { limit, allowed, offset, line, column } },
  );
}

function printCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const visible = code > 32 && code !== 127 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfeff;
  return visible ? `"${character}"` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

import type { PythonValue } from '../python/value.ts';
import { convertJava } from './java.ts';
import { convertJavaScript } from './javascript.ts';
import type { TypeName } from './value.ts';

export type LanguageName = 'python' | 'java' | 'javascript';

/** How the arguments of functions in a language are read. */
export interface Language {
  /** The type of Python that a declared type is checked as. */
  readonly types: ReadonlyMap<string, TypeName>;
  /** Declared types whose items are checked too. */
  readonly lists: ReadonlySet<string>;
  /** Where every argument is a text in the language: how it is read, and the error of one that is not text. */
  readonly text?: {
    readonly read: (text: string, type: string, inner: string | undefined) => PythonValue;
    readonly error: string;
  };
}

export const languages: Readonly<Record<LanguageName, Language>> = {
  python: {
    types: new Map<string, TypeName>([
      ['string', 'str'],
      ['integer', 'int'],
      ['float', 'float'],
      ['boolean', 'bool'],
      ['array', 'list'],
      ['tuple', 'list'],
      ['dict', 'dict'],
      ['any', 'str'],
    ]),
    lists: new Set(['array', 'tuple']),
  },
  java: {
    types: new Map<string, TypeName>([
      ['byte', 'int'],
      ['short', 'int'],
      ['integer', 'int'],
      ['long', 'int'],
      ['float', 'float'],
      ['double', 'float'],
      ['boolean', 'bool'],
      ['char', 'str'],
      ['String', 'str'],
      ['any', 'str'],
      ['Array', 'list'],
      ['ArrayList', 'list'],
      ['HashMap', 'dict'],
    ]),
    lists: new Set(['Array', 'ArrayList']),
    text: { read: convertJava, error: 'type_error:java' },
  },
  javascript: {
    types: new Map<string, TypeName>([
      ['String', 'str'],
      ['integer', 'int'],
      ['float', 'float'],
      ['Bigint', 'int'],
      ['Boolean', 'bool'],
      ['dict', 'dict'],
      ['array', 'list'],
      ['any', 'str'],
    ]),
    lists: new Set(['array']),
    text: { read: convertJavaScript, error: 'type_error:js' },
  },
};

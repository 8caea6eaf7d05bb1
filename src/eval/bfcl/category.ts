import type { LanguageName } from './language.ts';

export type Version = '2024-08' | 'v4';

/**
 * How a category is judged: one call; one call among several functions; calls in any order; or whether there is a call
 * at all.
 */
export type Judgement = 'simple' | 'multiple' | 'parallel' | 'no-call' | 'some-call';

export interface Category {
  readonly judgement: Judgement;
  readonly language: LanguageName;
}

/** The categories that the AST checker and the checks of relevance judge, by version and name. */
export const categories: Readonly<Record<Version, ReadonlyMap<string, Category>>> = {
  '2024-08': new Map<string, Category>([
    ['simple', { judgement: 'simple', language: 'python' }],
    ['java', { judgement: 'simple', language: 'java' }],
    ['javascript', { judgement: 'simple', language: 'javascript' }],
    // Judged as the parallel ones are, with their errors.
    ['multiple_function', { judgement: 'parallel', language: 'python' }],
    ['parallel_function', { judgement: 'parallel', language: 'python' }],
    ['parallel_multiple_function', { judgement: 'parallel', language: 'python' }],
    ['relevance', { judgement: 'no-call', language: 'python' }],
  ]),
  v4: new Map<string, Category>([
    ['simple_python', { judgement: 'simple', language: 'python' }],
    ['simple_java', { judgement: 'simple', language: 'java' }],
    ['simple_javascript', { judgement: 'simple', language: 'javascript' }],
    ['multiple', { judgement: 'multiple', language: 'python' }],
    ['parallel', { judgement: 'parallel', language: 'python' }],
    ['parallel_multiple', { judgement: 'parallel', language: 'python' }],
    ['irrelevance', { judgement: 'no-call', language: 'python' }],
    ['live_simple', { judgement: 'simple', language: 'python' }],
    ['live_multiple', { judgement: 'multiple', language: 'python' }],
    ['live_parallel', { judgement: 'parallel', language: 'python' }],
    ['live_parallel_multiple', { judgement: 'parallel', language: 'python' }],
    ['live_irrelevance', { judgement: 'no-call', language: 'python' }],
    ['live_relevance', { judgement: 'some-call', language: 'python' }],
  ]),
};

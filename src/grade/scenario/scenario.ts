import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { SourceFile } from './diagnostic.ts';
import type { Shape } from './task.ts';
import type { Axis } from './variant.ts';
import { axesOf, countVariants } from './variant.ts';
import type { WorldCode } from './load/world-code.ts';

/**
 * A scenario as it is written, read and checked: a template from which `taskOf` makes tasks. Only its head is kept; the
 * rest is read again from its text when somebody plays it, for which most scenarios of a large catalog wait long. (The
 * getters belong to a class, because getters on each object would give every scenario a shape of its own.)
 */
export class Scenario {
  readonly collection: string;
  readonly slug: string;
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  /** What sort of work it is, in a word or two. */
  readonly kind: string;
  readonly version: string;
  readonly canary: string;
  /** How many variants there are, counted from 0. */
  readonly variants: number;
  /** The text of each document, or the bytes of a picture as base64, by its file. */
  readonly documents: Readonly<Record<string, string>>;
  /** The tools of its TypeScript world. */
  readonly code: WorldCode;
  readonly source: SourceFile;
  readonly pathsSource: SourceFile | undefined;
  /** Where the questions to the person stand in the TypeScript scenario itself. */
  readonly questionsSource: SourceFile | undefined;

  constructor(given: Given) {
    const { name, description, shape, kind, version, canary } = objectIn(given.source);
    this.collection = given.collection;
    this.slug = given.slug;
    this.folder = given.folder;
    this.name = String(name);
    this.description = String(description ?? '');
    this.shape = (shape ?? 'conversation') as Shape;
    this.kind = String(kind ?? this.shape);
    this.version = String(version ?? '1.0');
    this.canary = String(canary ?? '');
    this.variants = countVariants(axesOf(objectIn(given.source)));
    this.documents = given.documents;
    this.code = given.code;
    this.source = given.source;
    this.pathsSource = given.pathsSource;
    this.questionsSource = given.questionsSource;
    this.source.letGo?.();
    this.pathsSource?.letGo?.();
  }

  get template(): JsonObject {
    return objectIn(this.source);
  }

  /** The gold path and the flawed ones. */
  get paths(): JsonObject {
    return this.pathsSource ? objectIn(this.pathsSource) : {};
  }

  get axes(): readonly Axis[] {
    return axesOf(this.template);
  }
}

type Given = Pick<
  Scenario,
  'collection' | 'slug' | 'folder' | 'documents' | 'code' | 'source' | 'pathsSource' | 'questionsSource'
>;

function objectIn({ value }: SourceFile): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The scenario with some of it otherwise. A spread alone would lose what is read again. */
export function changedScenario(scenario: Scenario, change: Partial<Scenario>): Scenario {
  const { template, paths, axes } = scenario;
  return { ...scenario, template, paths, axes, ...change };
}

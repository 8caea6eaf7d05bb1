import type { JsonObject } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import type { SourceFile } from './place.ts';
import type { Scenario } from './read-scenario.ts';
import type { Shape } from './task.ts';
import type { Axis } from './variant.ts';
import { axesOf, countVariants } from './variant.ts';

type Given = Pick<
  Scenario,
  'collection' | 'slug' | 'folder' | 'documents' | 'code' | 'source' | 'pathsSource' | 'questionsSource'
>;

/**
 * A scenario that was read and checked. Of what it holds only the head is kept, and the rest is read again from its
 * text when somebody plays it: most scenarios of a large catalog wait long for that. (Getters of a class, as those of
 * an object of its own would cost each its own shape.)
 */
export class HeldScenario implements Scenario {
  readonly collection: string;
  readonly slug: string;
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly version: string;
  readonly canary: string;
  readonly variants: number;
  readonly documents: Scenario['documents'];
  readonly code: Scenario['code'];
  readonly source: SourceFile;
  readonly pathsSource?: SourceFile;
  readonly questionsSource?: SourceFile;
  #axes: readonly Axis[] | undefined;

  constructor(given: Given) {
    const { name, description, shape, version, canary, vary } = objectIn(given.source);
    this.collection = given.collection;
    this.slug = given.slug;
    this.folder = given.folder;
    this.name = String(name);
    this.description = String(description ?? '');
    this.shape = (shape ?? 'conversation') as Shape;
    this.version = String(version ?? '1.0');
    this.canary = String(canary ?? '');
    this.variants = countVariants(axesOf(vary));
    this.documents = given.documents;
    this.code = given.code;
    this.source = given.source;
    if (given.pathsSource) this.pathsSource = given.pathsSource;
    if (given.questionsSource) this.questionsSource = given.questionsSource;
    this.source.letGo?.();
    this.pathsSource?.letGo?.();
  }

  get template(): JsonObject {
    return objectIn(this.source);
  }

  get paths(): JsonObject {
    return this.pathsSource ? objectIn(this.pathsSource) : {};
  }

  get axes(): readonly Axis[] {
    return (this.#axes ??= axesOf(this.template['vary']));
  }
}

function objectIn({ value }: SourceFile): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The scenario with some of it otherwise. A spread alone would lose what is read again. */
export function changedScenario(scenario: Scenario, change: Partial<Scenario>): Scenario {
  const { template, paths, axes } = scenario;
  return { ...scenario, template, paths, axes, ...change };
}

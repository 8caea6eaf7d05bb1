import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { checkFormat } from './check-format.ts';
import { checkReferences } from './check-references.ts';
import { pathsSchema, scenarioSchema } from './format.ts';
import type { Shape, WorldFunction } from './task.ts';
import type { Axis } from './variant.ts';
import { axesOf, countVariants } from './variant.ts';
import type { Fault, SourceFile } from './place.ts';
import { loadWorldCode } from './world-code.ts';
import { readYaml } from './yaml.ts';

/** A scenario as it is written: a template from which `taskOf` makes tasks. */
export interface Scenario {
  readonly collection: string;
  readonly slug: string;
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly version: string;
  readonly canary: string;
  readonly axes: readonly Axis[];
  /** How many variants there are, counted from 0. */
  readonly variants: number;
  readonly template: JsonObject;
  /** `paths.yaml`: the gold path and the flawed ones. */
  readonly paths: JsonObject;
  /** The text of each document, by its file. */
  readonly documents: Readonly<Record<string, string>>;
  /** The tools of its TypeScript world. */
  readonly code: Readonly<Record<string, WorldFunction>>;
  readonly source: SourceFile;
  readonly pathsSource?: SourceFile;
}

export interface ReadScenario {
  readonly scenario?: Scenario;
  readonly faults: readonly Fault[];
}

/** Reads a scenario's folder. Faults carry file and line; a scenario with faults is not given. */
export function readScenario(
  folder: string,
  names: { readonly collection: string; readonly scenario: string },
): ReadScenario {
  const file = join(folder, 'scenario.yaml');
  const source = readYaml(readFileSync(file, 'utf8'), file);
  if (source.faults.length > 0) return { faults: source.faults };
  const faults: Fault[] = [...checkFormat(source, scenarioSchema)];
  const template = source.value;
  if (!isJsonObject(template) || faults.length > 0) return { faults };
  const axes = axesOf(template['vary']);
  faults.push(...checkReferences(source, axes));
  const documents = readDocuments(folder, source, faults);
  const code = readCode(folder, source, faults);
  const pathsFile = join(folder, 'paths.yaml');
  const paths = existsSync(pathsFile) ? readYaml(readFileSync(pathsFile, 'utf8'), pathsFile) : undefined;
  if (paths)
    faults.push(...paths.faults, ...(paths.faults.length === 0 ? checkFormat(paths, pathsSchema) : []));
  if (faults.length > 0) return { faults };
  return {
    faults,
    scenario: {
      collection: names.collection,
      slug: names.scenario,
      folder,
      name: String(template['name']),
      description: String(template['description'] ?? ''),
      shape: (template['shape'] ?? 'conversation') as Shape,
      version: String(template['version'] ?? '1.0'),
      canary: String(template['canary'] ?? ''),
      axes,
      variants: countVariants(axes),
      template,
      paths: isJsonObject(paths?.value) ? paths.value : {},
      documents,
      code,
      source,
      ...(paths ? { pathsSource: paths } : {}),
    },
  };
}

function readDocuments(folder: string, source: SourceFile, faults: Fault[]): Record<string, string> {
  const documents: Record<string, string> = {};
  listOf((source.value as JsonObject)['documents']).forEach((document, index) => {
    const name = isJsonObject(document) ? String(document['file'] ?? '') : '';
    const path = join(folder, name);
    const inside = !relative(folder, path).startsWith('..');
    if (inside && existsSync(path)) documents[name] = readFileSync(path, 'utf8');
    else
      faults.push({
        message: inside
          ? `The document "${name}" is not there. Write it at ${path}, or take the line away.`
          : `The document "${name}" lies outside the scenario's folder. Move it into the folder.`,
        place: source.locate(['documents', index, 'file']),
      });
  });
  return documents;
}

function readCode(folder: string, source: SourceFile, faults: Fault[]): Scenario['code'] {
  const name = (source.value as JsonObject)['code'];
  if (typeof name !== 'string') return {};
  const place = source.locate(['code']);
  const file = join(folder, name);
  if (!existsSync(file)) {
    faults.push({
      message: `The world "${name}" is not there. Write it at ${file}, or take the line away.`,
      place,
    });
    return {};
  }
  try {
    const code = loadWorldCode(file);
    listOf((source.value as JsonObject)['tools']).forEach((tool, index) => {
      if (
        !isJsonObject(tool) ||
        tool['type'] !== 'function' ||
        'steps' in tool ||
        Object.hasOwn(code, String(tool['id']))
      )
        return;
      faults.push({
        message: `The function "${String(tool['id'])}" has no steps, and ${name} exports no tool of this name.`,
        place: source.locate(['tools', index, 'id']),
      });
    });
    return code;
  } catch (error) {
    faults.push({
      message: `The world "${name}" cannot be loaded: ${error instanceof Error ? error.message : String(error)}.`,
      place: { file, ...lineOf(error, file) },
    });
    return {};
  }
}

/** Where in a file an error arose, as far as its stack says. */
function lineOf(error: unknown, file: string): { readonly line: number; readonly column: number } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack.indexOf(file);
  const found = at < 0 ? null : /^:(\d+)(?::(\d+))?/.exec(stack.slice(at + file.length));
  return { line: Number(found?.[1] ?? 1), column: Number(found?.[2] ?? 1) };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

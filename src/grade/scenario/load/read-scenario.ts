import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

import type { JsonObject } from '../../../base/json/value.ts';
import { isJsonObject } from '../../../base/json/value.ts';
import { checkFormat } from '../validate/check-format.ts';
import { checkPathsFile } from '../validate/check-paths-file.ts';
import { checkReferences } from '../validate/check-references.ts';
import { variablesOf } from '../validate/check-variables.ts';
import { pathsSchema } from '../format/paths.ts';
import { scenarioSchema } from '../format/scenario.ts';
import { objectsIn } from '../json-list.ts';
import { pageFault, pageOf, pageTool } from '../page-world.ts';
import { readModuleScenario } from './module-scenario.ts';
import type { ModuleScenario } from './module-scenario.ts';
import type { Diagnostic, SourceFile } from '../diagnostic.ts';
import { faultOf, readPicture, readText } from './read-text.ts';
import { pictureType } from '../picture.ts';
import { Scenario } from '../scenario.ts';
import type { Axis } from '../variant.ts';
import { axesOf } from '../variant.ts';
import { checkWorldCode, readWorldCode } from './world-code.ts';
import { readYaml, readYamlFile } from './yaml.ts';

export interface ReadScenario {
  readonly scenario?: Scenario;
  readonly faults: readonly Diagnostic[];
}

const files = ['scenario.yaml', 'scenario.ts'] as const;

/** The file that makes a folder a scenario, if there is one. */
export function scenarioFile(folder: string): string | undefined {
  for (const name of files) {
    const file = `${folder}${sep}${name}`;
    if (existsSync(file)) return file;
  }
  return undefined;
}

/** Reads a scenario's folder. Faults carry file and line, or file and member; a scenario with faults is not given. */
export function readScenario(
  folder: string,
  names: { readonly collection: string; readonly scenario: string },
): ReadScenario {
  try {
    return readFolder(folder, names);
  } catch (error) {
    // A file that cannot be read (its rights, a folder of its name): one scenario less, and the others stay.
    return { faults: [faultOf(error, folder)] };
  }
}

function readFolder(
  folder: string,
  names: { readonly collection: string; readonly scenario: string },
): ReadScenario {
  const written = readWritten(folder);
  if ('faults' in written) return written;
  const { source } = written;
  const faults: Diagnostic[] = [...checkFormat(source, scenarioSchema)];
  const template = source.value;
  if (!isJsonObject(template) || faults.length > 0) return { faults };
  const axes = axesOf(template);
  faults.push(...checkReferences(source, axes));
  const { world } = template;
  const noPage = isJsonObject(world) ? pageFault(folder, world) : undefined;
  if (noPage !== undefined) faults.push({ message: noPage, place: source.locate(['world', 'page']) });
  const documents = readDocuments(folder, source, { axes, faults });
  const code = 'code' in written ? written.code : readWorldCode(folder, source, faults);
  if (faults.length === 0) faults.push(...checkWorldCode(source, code));
  const paths = written.paths ?? readYamlFile(`${folder}${sep}paths.yaml`);
  if (paths) faults.push(...checkPaths(paths, axes, template));
  if (faults.length > 0) return { faults };
  return {
    faults,
    scenario: new Scenario({
      collection: names.collection,
      slug: names.scenario,
      folder,
      documents,
      code,
      source,
      pathsSource: paths,
      questionsSource: written.questions,
    }),
  };
}

function checkPaths(paths: SourceFile, axes: readonly Axis[], template: JsonObject): readonly Diagnostic[] {
  const faults = paths.faults.length > 0 ? paths.faults : checkFormat(paths, pathsSchema);
  if (faults.length > 0) return faults;
  const tools = (template['tools'] as readonly JsonObject[]).map(({ id }) => String(id));
  const { world } = template;
  if (isJsonObject(world) && pageOf('', world)) tools.push(pageTool.id);
  return checkPathsFile(paths, { axes, tools });
}

type Written = Partial<ModuleScenario> & Pick<ModuleScenario, 'source'>;

function readWritten(folder: string): Written | { readonly faults: readonly Diagnostic[] } {
  const [yaml, typescript] = files.map((file) => `${folder}${sep}${file}`) as [string, string];
  const place = { file: typescript, line: 1, column: 1 };
  if (!existsSync(typescript)) {
    const source = readYamlFile(yaml) ?? readYaml('', yaml);
    return source.faults.length > 0 ? { faults: source.faults } : { source };
  }
  if (existsSync(yaml))
    return {
      faults: [{ message: 'The folder holds both scenario.yaml and scenario.ts. Keep one of them.', place }],
    };
  const written = readModuleScenario(typescript);
  if ('faults' in written) return written;
  for (const name of ['paths', 'questions'] as const)
    if (written[name] && existsSync(join(folder, `${name}.yaml`)))
      return {
        faults: [
          {
            message: `The ${name} are both here and in ${name}.yaml. Keep one of them.`,
            place: written[name].locate([]),
          },
        ],
      };
  return written;
}

function readDocuments(
  folder: string,
  source: SourceFile,
  { axes, faults }: { readonly axes: readonly Axis[]; readonly faults: Diagnostic[] },
): Record<string, string> {
  const documents: Record<string, string> = {};
  const unbound = variablesOf(axes);
  const written = (source.value as JsonObject)['documents'];
  objectsIn(written).forEach((document, index) => {
    const name = String(document['file']);
    const path = join(folder, name);
    const isUpward = name.includes('..') && /^\.\.(?:[\\/]|$)/.test(relative(folder, path));
    const inside = !isAbsolute(name) && !isUpward;
    const isPicture = pictureType(name) !== undefined;
    const text = inside ? (isPicture ? readPicture(path) : readText(path)) : undefined;
    if (text !== undefined) {
      documents[name] = text;
      if (!isPicture && unbound(text).length > 0)
        text.split('\n').forEach((line, at) => {
          for (const message of unbound(line))
            faults.push({ message, place: { file: path, line: at + 1, column: line.indexOf('${') + 1 } });
        });
    } else
      faults.push({
        message: inside
          ? `The document "${name}" is not there. Write it at ${path}, or take the line away.`
          : `The document "${name}" lies outside the scenario's folder. Move it into the folder.`,
        place: source.locate(['documents', index, 'file']),
      });
  });
  return documents;
}

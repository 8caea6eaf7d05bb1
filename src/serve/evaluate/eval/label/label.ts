import { Command } from 'commander';
import { userInfo } from 'node:os';

import { WhetstoneError } from '../../../../base/host/errors.ts';
import { hashJson } from '../../../../base/json/sha256.ts';
import { PersonLines } from '../../../terminal/person-lines.ts';
import { agreementTable, type JudgeAgreement, measureLabels } from './label-agreement.ts';
import { LabelFile } from './label-file.ts';
import { type JudgedItem, judgedItems, type LabelValue } from './judged-items.ts';

interface LabelOptions {
  readonly by?: string;
  readonly agreement?: boolean;
  readonly criterion?: string;
  readonly scenarios?: string;
  readonly json?: boolean;
}

/** `whet eval label <folder>`: a person decides what a judge decides, so that the judge can be measured. */
export function label(): Command {
  return new Command('label')
    .description(
      'Shows what a judge decides in a study, one after the other and without its verdict, and keeps what you say of it in labels.jsonl. Prints how far judge and people agree, with intervals: before 100 labels, and below a kappa of 0.6, a judge is advisory.\nTwo people label the same study each by --by.',
    )
    .argument('<folder>', 'the folder of a study')
    .option('--by <name>', 'who is labelling (default: your user name on this machine)')
    .option('--criterion <text>', 'only criteria with this name, or with this text in them')
    .option('--agreement', 'ask nothing: print how far judge and people agree')
    .option('--scenarios <folder>', 'folder of collections (default: ./scenarios, else the bundled ones)')
    .option('--json', 'print the agreement as one JSON line per judge')
    .action(async (folder: string, options: LabelOptions) => {
      const file = new LabelFile(folder);
      const items: JudgedItem[] = [];
      for await (const item of judgedItems(folder, options.scenarios))
        if (options.criterion === undefined || item.criterion.includes(options.criterion)) items.push(item);
      if (items.length === 0)
        throw new WhetstoneError(
          'usage',
          `Nothing in ${folder} is decided by a judge${options.criterion === undefined ? '' : ` under "${options.criterion}"`}.`,
        );
      if (options.agreement !== true) await labelAll(items, file, options.by ?? userInfo().username);
      print(measureLabels(items, file.read()), options.json === true);
    });
}

async function labelAll(items: readonly JudgedItem[], file: LabelFile, by: string): Promise<void> {
  const labelled = new Set(
    file
      .read()
      .filter((each) => each.by === by)
      .map(({ key, criterion }) => nameOf(key, criterion)),
  );
  // In an order that has nothing to do with that of the study, and is the same for everybody.
  const left = items
    .filter(({ key, criterion }) => !labelled.has(nameOf(key, criterion)))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  if (left.length === 0) {
    console.error(`All ${items.length} are labelled by ${by}.`);
    return;
  }
  console.error(`${left.length} to label, ${labelled.size} are labelled by ${by}. s skips, q quits.`);
  const lines = new PersonLines(() => lines.close());
  try {
    for (const [index, item] of left.entries()) {
      const said = await labelOne(item, lines, `${index + 1} of ${left.length}`);
      if (said === 'end') return;
      if (said !== 'skip') file.add({ key: item.key, criterion: item.criterion, label: said.label, by });
    }
  } finally {
    lines.close();
  }
}

function nameOf(key: string, criterion: string): string {
  return JSON.stringify([key, criterion]);
}

function orderOf({ key, criterion }: JudgedItem): string {
  return hashJson([key, criterion]);
}

async function labelOne(
  item: JudgedItem,
  lines: PersonLines,
  place: string,
): Promise<{ readonly label: LabelValue } | 'skip' | 'end'> {
  const { question, choices } = item;
  const may =
    choices.length === 0 ? 'y or n' : choices.map((each, index) => `${index + 1} ${each}`).join(', ');
  console.error(`\n${'─'.repeat(60)}\n${await item.shown()}\n\n${question} (${place}: ${may})`);
  for (;;) {
    const typed = (await lines.next())?.trim().toLowerCase();
    if (typed === undefined || typed === 'q') return 'end';
    if (typed === 's') return 'skip';
    const label = readChoice(typed, choices);
    if (label !== undefined) return { label };
    console.error(`Please type ${may}, s to skip, or q to quit.`);
  }
}

function readChoice(typed: string, choices: readonly string[]): LabelValue | undefined {
  if (choices.length > 0)
    return choices[Number(typed) - 1] ?? choices.find((each) => each.toLowerCase() === typed);
  if (/^y(es)?$/.test(typed)) return true;
  return /^no?$/.test(typed) ? false : undefined;
}

function print(agreements: readonly JudgeAgreement[], json: boolean): void {
  if (json) for (const each of agreements) console.log(JSON.stringify(each));
  else console.log(agreementTable(agreements));
}
